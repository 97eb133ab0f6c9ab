import { type Static, Type } from 'typebox';
import { Id } from '../platform/id.ts';

const success = Type.Literal(true);
const Moment = Type.String({ format: 'date-time' });
const MaybeMoment = Type.Union([Moment, Type.Null()]);

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
  created_at: Moment,
  expires_at: MaybeMoment,
  last_used_at: MaybeMoment,
  revoked_at: MaybeMoment,
  seen_in_clear_at: MaybeMoment,
});

export const ApiSettings = Type.Object({
  success,
  data: Type.Object({
    api_access: Type.Boolean(),
    base_url: Type.String({ description: 'What every path of the tenant begins with.' }),
    abilities: Type.Array(
      Type.Object({ category: Type.String(), abilities: Type.Array(Type.String()) }),
    ),
    tokens: Type.Array(Token),
  }),
});

export const SaveApiSettings = Type.Object({
  api_access: Type.Boolean(),
  activate: Type.Array(Id, {
    maxItems: 1000,
    description: 'Ids of the pending tokens that work from now on.',
  }),
});

const inbound = {
  contacts_from_inbound: Type.Boolean({
    description: 'An unknown phone that writes becomes a contact.',
  }),
};

export const InboundSettings = Type.Object({ success, data: Type.Object(inbound) });

export const SaveInboundSettings = Type.Object(inbound);

export const GenerateToken = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  abilities: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
  expires_at: Type.Optional(MaybeMoment),
});

export const GeneratedToken = Type.Object({
  success,
  data: Type.Object({
    value: Type.String({ description: 'Shown only now.' }),
    token: Token,
  }),
});

export const RevokedToken = Type.Object({ success, data: Token });

export type TokenData = Static<typeof Token>;
export type ApiSettingsData = Static<typeof ApiSettings>['data'];
export type InboundSettingsData = Static<typeof InboundSettings>['data'];
export type GeneratedTokenData = Static<typeof GeneratedToken>['data'];
