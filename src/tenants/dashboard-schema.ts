import { Type } from 'typebox';
import { Nullable } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { Id } from '../platform/values/id.ts';
import { maxDaysKept } from '../settings/retention-settings.ts';

const Time = Type.String({ format: 'date-time' });
const NullableTime = Type.Union([Time, Type.Null()]);

const Token = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters.' }),
  state: Type.Union([
    Type.Literal('pending'),
    Type.Literal('active'),
    Type.Literal('expired'),
    Type.Literal('revoked'),
  ]),
  abilities: Type.Array(Type.String()),
  created_at: Time,
  expires_at: NullableTime,
  last_used_at: NullableTime,
  revoked_at: NullableTime,
  seen_in_clear_at: NullableTime,
});

export const ApiSettings = DataResponse(
  Type.Object({
    api_access: Type.Boolean(),
    base_url: Type.String({ description: 'The start of every URL of the tenant.' }),
    abilities: Type.Array(
      Type.Object({ category: Type.String(), abilities: Type.Array(Type.String()) }),
    ),
    tokens: Type.Array(Token),
  }),
);

export const SaveApiSettings = Type.Object({
  api_access: Type.Boolean(),
  activate: Type.Array(Id, {
    maxItems: 1000,
    description: 'Ids of the pending tokens to activate.',
  }),
});

const inbound = {
  contacts_from_inbound: Type.Boolean({
    description: 'Whether a message from an unknown phone creates a contact.',
  }),
};

export const maxKeepFilesDays = 3_650;

const keepFilesDays = Type.Integer({
  minimum: 0,
  maximum: maxKeepFilesDays,
  description: 'How many days the files of received messages are kept; 0 if they are not.',
});

const messageRetentionDays = Nullable('integer', {
  minimum: 1,
  maximum: maxDaysKept,
  description: 'How many days messages are kept; null for as long as the installation keeps them.',
});

export const InboundSettings = DataResponse(
  Type.Object({
    ...inbound,
    message_retention_days: messageRetentionDays,
    max_message_retention_days: Type.Integer({
      description: 'How many days the installation keeps messages; 0 for as long as their contact.',
    }),
    keep_files_days: keepFilesDays,
    can_keep_files: Type.Boolean({
      description:
        'Whether files can be kept: all processes have one folder for them, or a bucket.',
    }),
    kept_files: Type.Integer(),
    kept_bytes: Type.Integer(),
  }),
);

export const SaveInboundSettings = Type.Object(
  {
    contacts_from_inbound: Type.Optional(inbound.contacts_from_inbound),
    keep_files_days: Type.Optional(keepFilesDays),
    message_retention_days: Type.Optional(messageRetentionDays),
  },
  { minProperties: 1 },
);

export const region = {
  locale: Type.String({
    maxLength: 100,
    description: 'The BCP 47 tag of the language in whose way numbers and times are written.',
  }),
  time_zone: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
    description: "An IANA time zone; null for that of each person's browser.",
  }),
};

export const SavedRegion = DataResponse(Type.Object(region));

export const SaveRegion = Type.Object(region);

export const GenerateToken = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  abilities: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
  expires_at: Type.Optional(NullableTime),
});

export const GeneratedToken = DataResponse(
  Type.Object({
    value: Type.String({ description: 'Shown only once.' }),
    token: Token,
  }),
);

export const RevokedToken = DataResponse(Token);
