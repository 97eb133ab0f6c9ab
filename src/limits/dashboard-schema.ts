import { type Static, Type } from 'typebox';

const counts = {
  requests: Type.Integer(),
  refusals: Type.Integer({ description: 'Requests with a 4xx response.' }),
  failures: Type.Integer({ description: 'Requests with a 5xx response.' }),
  texts: Type.Integer(),
  media: Type.Integer(),
  templates: Type.Integer(),
  messages: Type.Integer({ description: 'Messages that count against the day’s limit.' }),
};

export const Usage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    plan: Type.String(),
    requests_per_minute: Type.Integer(),
    messages_per_day: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    plans: Type.Array(
      Type.Object({
        plan: Type.String(),
        requests_per_minute: Type.Integer(),
        messages_per_day: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
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
});

export type UsageData = Static<typeof Usage>['data'];
