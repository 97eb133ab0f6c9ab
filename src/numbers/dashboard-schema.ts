import { Type } from 'typebox';
import { Coded } from '../platform/errors/coded.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import type { CallbacksNow } from './connecting/give-callbacks-back.ts';
import type { NumberState } from './state/number-state.ts';

const success = Type.Literal(true);

const Fault = Type.Object({
  name: Type.String(),
  found: Type.String(),
  found_says: Type.Optional(Coded),
  fix: Type.String({ description: 'What to do about it.' }),
  fix_says: Type.Optional(Coded),
});

const Check = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  found: Type.String(),
  found_says: Type.Optional(Coded),
  fix: Type.Optional(Type.String()),
  fix_says: Type.Optional(Coded),
});

const Number_ = Type.Object({
  id: Type.Integer(),
  phone_number_id: Type.String(),
  business_account_id: Type.String(),
  display_phone_number: Type.Union([Type.String(), Type.Null()]),
  simulator: Type.Boolean(),
  callback_url: Type.String(),
  verify_token: Type.String({ description: 'Empty unless the member is an owner.' }),
  problem: Type.Union([Type.String(), Type.Null()]),
  problem_says: Coded,
  default: Type.Boolean({
    description: 'Whether it sends to people with whom there are no messages yet.',
  }),
  marketing_endpoint: Type.Boolean({
    description: 'Whether marketing templates go to the network’s endpoint for them.',
  }),
  verified_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The name that people see.',
  }),
  state: Type.Unsafe<NumberState>({
    type: 'string',
    enum: ['works', 'not_verified', 'does_not_work'],
    description:
      'A number works if a message arrived since it was connected and nothing is known to be wrong.',
  }),
  faults: Type.Array(Fault, {
    description: 'What the last check found wrong, and why messages fail or nothing is heard.',
  }),
  checked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  token_expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the access token ends, as the last check found it. Null if never.',
  }),
  heard_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When WhatsApp last reported anything, to the minute.',
  }),
  created_at: Type.String({ format: 'date-time' }),
});

export const Numbers = DataResponse(
  Type.Object({
    numbers: Type.Array(Number_),
    simulator_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Null if no simulator runs; then simulated numbers are not listed.',
    }),
    unconnected: Type.Array(
      Type.Object({
        phone_number_id: Type.String(),
        display_phone_number: Type.Union([Type.String(), Type.Null()]),
        reports: Type.Integer({ description: 'Messages and statuses that were lost.' }),
        first_at: Type.String({ format: 'date-time' }),
        last_at: Type.String({ format: 'date-time' }),
      }),
      {
        description:
          'Numbers about which WhatsApp reports to this tenant, which has not connected them.',
      },
    ),
  }),
);

const pin = Type.Optional(
  Type.String({
    pattern: '^\\d{6}$',
    description: 'Registers the number, if it is not registered.',
  }),
);
const take_over = Type.Optional(
  Type.Boolean({ description: 'Take the callbacks of the number from another program.' }),
);

const secrets = {
  access_token: Type.String({ maxLength: 1100 }),
  app_secret: Type.String({ maxLength: 300 }),
  business_account_id: Type.Optional(Type.String({ maxLength: 40 })),
};

export const FindNumbers = Type.Object(secrets);

export const VisibleNumbers = DataResponse(
  Type.Object({
    numbers: Type.Array(
      Type.Object({
        phone_number_id: Type.String(),
        business_account_id: Type.String(),
        display_phone_number: Type.Union([Type.String(), Type.Null()]),
        verified_name: Type.Union([Type.String(), Type.Null()]),
        connected: Type.Boolean({ description: 'Whether the tenant has connected it.' }),
      }),
    ),
  }),
);

/** The ids may be left out if the token sees one number. */
export const ConnectNumber = Type.Object({
  ...secrets,
  phone_number_id: Type.Optional(Type.String({ maxLength: 40 })),
  pin,
  take_over,
});

export const VerifyNumber = Type.Object({ pin, take_over });

/** A number stays the default until another one becomes it. */
export const ChangeNumber = Type.Object({
  default: Type.Optional(Type.Literal(true)),
  marketing_endpoint: Type.Optional(Type.Boolean()),
});

export const OneNumber = Type.Object({ success, message: Type.String(), data: Number_ });

export const DisconnectedNumber = Type.Object({
  success,
  message: Type.String(),
  data: Type.Object({
    ...Number_.properties,
    callbacks: Type.Object(
      {
        to: Type.Unsafe<CallbacksNow['to']>({
          type: 'string',
          enum: ['other_program', 'parley', 'nobody', 'unknown'],
        }),
        url: Type.Union([Type.String(), Type.Null()]),
      },
      { description: 'Where its messages go now.' },
    ),
  }),
});

export const CheckedNumber = Type.Object({
  success,
  message: Type.String(),
  data: Type.Object({ ...Number_.properties, checks: Type.Array(Check) }),
});
