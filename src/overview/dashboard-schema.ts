import { type Static, Type } from 'typebox';
import { Coded } from '../platform/errors/coded.ts';
import { DataResponse } from '../platform/http/response-schema.ts';

/** A tenant's last days at a glance. */
export const Overview = DataResponse(
  Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'UTC.' }),
        delivered: Type.Integer({
          description: 'Reached the phone, including those that were read.',
        }),
        on_the_way: Type.Integer({
          description: 'Accepted by the network, without a report since.',
        }),
        failed: Type.Integer(),
        unknown: Type.Integer({ description: 'It is unknown whether they were sent.' }),
        received: Type.Integer(),
      }),
    ),
    failures: Type.Array(
      Type.Object({
        code: Type.Union([Type.Integer(), Type.Null()]),
        title: Type.String({ description: 'In plain words.' }),
        title_says: Coded,
        messages: Type.Integer(),
        last_at: Type.String({ format: 'date-time' }),
      }),
    ),
    steps: Type.Object({
      number: Type.Boolean({ description: 'A number is connected.' }),
      token: Type.Boolean({ description: 'API access is on and a token works.' }),
      message: Type.Boolean({ description: 'A message was sent.' }),
    }),
    simulated_sender: Type.Union([Type.String(), Type.Null()], {
      description: 'The default number if it is one of the simulator.',
    }),
    number_problems: Type.Array(
      Type.Object({ phone: Type.String(), problem: Type.String(), problem_says: Coded }),
    ),
    tokens_seen_in_clear: Type.Array(Type.String()),
  }),
);

export type OverviewData = Static<typeof Overview>['data'];
