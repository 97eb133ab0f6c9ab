import { type Static, Type } from 'typebox';
import { Nullable } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';

const counts = {
  requests: Type.Integer(),
  refusals: Type.Integer({ description: 'Requests with a 4xx response.' }),
  failures: Type.Integer({ description: 'Requests with a 5xx response.' }),
  texts: Type.Integer(),
  media: Type.Integer(),
  templates: Type.Integer(),
  messages: Type.Integer({ description: 'Messages that count against the day’s limit.' }),
};

export const Usage = DataResponse(
  Type.Object({
    plan: Type.String(),
    requests_per_minute: Type.Integer(),
    messages_per_day: Nullable('integer'),
    plans: Type.Array(
      Type.Object({
        plan: Type.String(),
        requests_per_minute: Type.Integer(),
        messages_per_day: Nullable('integer'),
      }),
    ),
    today: Type.String({ format: 'date', description: 'UTC; the day’s limit resets at midnight.' }),
    tokens: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        days: Type.Array(Type.Object({ day: Type.String(), ...counts })),
      }),
    ),
  }),
);

export type UsageData = Static<typeof Usage>['data'];
