import { Type } from 'typebox';
import type { TemplateStatus } from '../types.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const numberSchema = Type.Object(
  {
    phone_number_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    business_account_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    display_phone_number: optionalText,
    verified_name: optionalText,
    access_token: optionalText,
    app_secret: optionalText,
    callback_url: Type.Optional(Type.Union([text, Type.Null()])),
    verify_token: optionalText,
    ca: Type.Optional(Type.Union([text, Type.Null()])),
    verify: Type.Optional(Type.Boolean()),
    limits: Type.Optional(
      Type.Object({
        messages_per_second: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
        pair: Type.Optional(Type.Boolean()),
        window: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { additionalProperties: false },
);

export const inboundSchema = Type.Object({
  phone_number_id: text,
  from: text,
  profile_name: optionalText,
  /** Absent: text. The object under the type's own name is passed on as it is. */
  type: optionalText,
  text: Type.Optional(Type.Union([text, Type.Object({ body: text })])),
  /** The wamid that this message answers. */
  context: optionalText,
  hide_phone: Type.Optional(Type.Boolean()),
  /** The advertisement that the writer came by; passed on as it is. */
  referral: Type.Optional(Type.Object({})),
  errors: Type.Optional(Type.Array(Type.Unknown())),
});

const count = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]));
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
const oneOf = (...values: string[]) =>
  Type.Optional(Type.Unsafe<string>({ enum: [...values, null] }));

export const behaviourSchema = Type.Object(
  {
    phone_number_id: optionalText,
    phone: optionalText,
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    delayMs: count,
    callbackDelayMs: count,
    stepMs: count,
    duplicate: count,
    disorder: flag,
    batch: count,
    batchAs: oneOf('statuses', 'changes', 'entries'),
    skipDelivered: flag,
    autoRead: flag,
    failWith: count,
    failDetails: Type.Optional(Type.Union([text, Type.Null()])),
    failAs: oneOf('answer', 'callback'),
    status: count,
    lookupStatus: count,
    answer: oneOf('garbage', 'half', 'never', 'drop-after-accept', 'drop'),
    callbacks: flag,
    retryDelaysMs: Type.Optional(Type.Union([Type.Array(Type.Integer()), Type.Null()])),
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
  components: Type.Array(Type.Object({ type: text })),
});

export const templateStatusSchema = Type.Object({
  business_account_id: text,
  name: text,
  language: optionalText,
  status: templateStatus,
  reason: optionalText,
});
