import { Type } from 'typebox';

const success = Type.Literal(true);

const Number_ = Type.Object({
  id: Type.Integer(),
  phone_number_id: Type.String(),
  business_account_id: Type.String(),
  display_phone_number: Type.Union([Type.String(), Type.Null()]),
  simulator: Type.Boolean(),
  callback_url: Type.String(),
  verify_token: Type.String({ description: 'Empty unless the member is an owner.' }),
  problem: Type.Union([Type.String(), Type.Null()]),
  default: Type.Boolean({
    description: 'Whether it sends to people with whom there are no messages yet.',
  }),
  marketing_endpoint: Type.Boolean({
    description: 'Whether marketing templates go to the network’s endpoint for them.',
  }),
  created_at: Type.String({ format: 'date-time' }),
});

export const Numbers = Type.Object({
  success,
  data: Type.Object({
    numbers: Type.Array(Number_),
    simulator_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Null if no simulator runs; then simulated numbers are not listed.',
    }),
  }),
});

export const ConnectNumber = Type.Object({
  phone_number_id: Type.String({ maxLength: 40 }),
  business_account_id: Type.String({ maxLength: 40 }),
  access_token: Type.String({ maxLength: 1100 }),
  app_secret: Type.String({ maxLength: 300 }),
});

/** A number stays the default until another one becomes it. */
export const ChangeNumber = Type.Object({
  default: Type.Optional(Type.Literal(true)),
  marketing_endpoint: Type.Optional(Type.Boolean()),
});

export const OneNumber = Type.Object({ success, message: Type.String(), data: Number_ });

export const TestedNumber = Type.Object({
  success,
  data: Type.Object({ works: Type.Boolean(), message: Type.String() }),
});
