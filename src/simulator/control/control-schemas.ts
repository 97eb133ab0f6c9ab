import { Type } from 'typebox';
import { componentsSchema } from '../templates/components-schema.ts';
import type { TemplateStatus } from '../types.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());
const optionalSecret = Type.Optional(Type.String({ minLength: 1 }));

export const numberSchema = Type.Object(
  {
    phone_number_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    business_account_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    display_phone_number: optionalText,
    verified_name: optionalText,
    access_token: optionalSecret,
    app_secret: optionalSecret,
    callback_url: Type.Optional(Type.Union([text, Type.Null()])),
    verify_token: optionalSecret,
    ca: Type.Optional(Type.Union([text, Type.Null()])),
    verify: Type.Optional(Type.Boolean()),
    limits: Type.Optional(
      Type.Object({
        messages_per_second: Type.Optional(Type.Union([Type.Number({ minimum: 1 }), Type.Null()])),
        pair: Type.Optional(Type.Boolean()),
        window: Type.Optional(Type.Boolean()),
        us_marketing: Type.Optional(Type.Boolean()),
        public_links: Type.Optional(Type.Boolean()),
      }),
    ),
    app_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    token: Type.Optional(
      Type.Object({
        scopes: Type.Optional(Type.Array(text)),
        expires_at: Type.Optional(Type.Integer({ minimum: 0 })),
        names_accounts: Type.Optional(Type.Boolean()),
      }),
    ),
    registration: Type.Optional(
      Type.Object({
        status: optionalText,
        pin: Type.Optional(Type.Union([Type.String({ pattern: '^\\d{6}$' }), Type.Null()])),
      }),
    ),
    quality_rating: Type.Optional(
      Type.Unsafe<string>({ enum: ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] }),
    ),
    messaging_limit: Type.Optional(
      Type.Unsafe<string>({
        enum: ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'],
      }),
    ),
    health_status: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
    marketing: Type.Optional(
      Type.Object({
        terms_signed: Type.Optional(Type.Boolean()),
        disabled_on_cloud_api: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { additionalProperties: false },
);

export const inboundSchema = Type.Object({
  phone_number_id: text,
  from: text,
  profile_name: optionalText,
  /** Default: text. The object under the name of the type is passed on unchanged. */
  type: optionalText,
  text: Type.Optional(Type.Union([text, Type.Object({ body: text })])),
  /** The wamid of the message to which this one replies, or the network's context, passed on unchanged. */
  context: Type.Optional(Type.Union([text, Type.Object({})])),
  hide_phone: Type.Optional(Type.Boolean()),
  /** The advertisement that led to the message, passed on unchanged. */
  referral: Type.Optional(Type.Object({})),
  errors: Type.Optional(Type.Array(Type.Unknown())),
});

/** The parameters of a file that a phone sends. */
export const fileSchema = Type.Object({
  phone_number_id: text,
  filename: Type.String({ default: 'file' }),
  caption: optionalText,
  /** The wamid of the message to which the file replies. */
  context: optionalText,
  voice: Type.Optional(Type.Unsafe<string>({ enum: ['true', 'false'] })),
});

export const changeSchema = Type.Object({
  phone_number_id: text,
  field: text,
  value: Type.Object({}),
});

/** `null` removes a knob. */
const between = (minimum: number, maximum: number) =>
  Type.Optional(Type.Union([Type.Integer({ minimum, maximum }), Type.Null()]));
/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;
const wait = between(0, maxTimerMs);
const failure = between(400, 599);
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
const oneOf = (...values: string[]) =>
  Type.Optional(Type.Unsafe<string>({ enum: [...values, null] }));

export const behaviourSchema = Type.Object(
  {
    phone_number_id: optionalText,
    phone: optionalText,
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    delayMs: wait,
    callbackDelayMs: wait,
    stepMs: wait,
    duplicate: between(0, 100),
    disorder: flag,
    batch: between(1, 1_000),
    batchAs: oneOf('statuses', 'changes', 'entries'),
    batchNumbers: flag,
    skipDelivered: flag,
    autoRead: flag,
    failWith: between(0, 999_999),
    failDetails: Type.Optional(Type.Union([text, Type.Null()])),
    failAs: oneOf('answer', 'callback'),
    status: failure,
    lookupStatus: failure,
    fileStatus: failure,
    answer: oneOf('garbage', 'half', 'never', 'drop-after-accept', 'drop'),
    messageStatus: oneOf('accepted', 'held_for_quality_assessment', 'paused'),
    pricingType: oneOf('regular', 'free_customer_service', 'free_entry_point'),
    pricingCategory: oneOf(
      ...['authentication', 'authentication-international', 'marketing', 'marketing_lite'],
      ...['utility', 'service', 'referral_conversion'],
    ),
    callbacks: flag,
    retryDelaysMs: Type.Optional(
      Type.Union([Type.Array(Type.Integer({ minimum: 0, maximum: maxTimerMs })), Type.Null()]),
    ),
    nationalWaIds: flag,
    record: flag,
  },
  { additionalProperties: false },
);

const statuses = [
  'APPROVED',
  'PENDING',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'LIMIT_EXCEEDED',
  'PENDING_DELETION',
  'DELETED',
  'ARCHIVED',
];
const templateStatus = Type.Unsafe<TemplateStatus>({ type: 'string', enum: statuses });

export const templateSchema = Type.Object({
  business_account_id: text,
  name: Type.String({ pattern: '^[a-z0-9_]{1,512}$' }),
  language: text,
  category: Type.Unsafe<string>({
    enum: ['AUTHENTICATION', 'MARKETING', 'UTILITY'],
    default: 'UTILITY',
  }),
  status: Type.Unsafe<TemplateStatus>({ type: 'string', enum: statuses, default: 'APPROVED' }),
  parameter_format: Type.Unsafe<string>({ enum: ['POSITIONAL', 'NAMED'], default: 'POSITIONAL' }),
  components: componentsSchema,
});

export const messagesSchema = Type.Object({
  phone_number_id: optionalText,
  to: optionalText,
  limit: Type.Optional(Type.String({ pattern: '^\\d{1,6}$' })),
});

export const templateStatusSchema = Type.Object({
  business_account_id: text,
  name: text,
  language: optionalText,
  status: templateStatus,
  reason: optionalText,
});
