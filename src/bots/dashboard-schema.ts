import { Type } from 'typebox';
import { StoredContent } from '../messages/stored-content.ts';
import { Coded } from '../platform/errors/coded.ts';
import { Nullable } from '../platform/http/field-schema.ts';
import { DataResponse } from '../platform/http/response-schema.ts';
import { StoredJson } from '../platform/http/stored-json.ts';
import { Id } from '../platform/values/id.ts';
import { BotChange, MessageBot, NewMessageBot } from './schema.ts';

const { reply, ...common } = MessageBot.properties;

const Bot = Type.Object({
  ...common,
  kind: Type.Union([Type.Literal('message'), Type.Literal('template')]),
  reply: Type.Optional(reply),
  template_name: Type.Optional(Type.String()),
  template_language: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Array(Type.String())),
});

export const Bots = DataResponse(
  Type.Array(
    Type.Object({
      ...Bot.properties,
      problem: Nullable('string', {
        description: 'Why it cannot answer at the moment; null if it can.',
      }),
      problem_says: Coded,
    }),
  ),
);

/** A bot of either kind. `checkBot` checks that it has the fields of its kind. */
export const CreateBot = Type.Object({
  kind: Type.Union([Type.Literal('message'), Type.Literal('template')]),
  ...BotChange.properties,
  name: NewMessageBot.properties.name,
  match: NewMessageBot.properties.match,
});

export const OneBot = DataResponse(Bot);
export const BotDone = DataResponse(Type.Object({ id: Type.Integer() }));

export const TryBots = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 4096 }),
  is_first: Type.Optional(Type.Boolean()),
});

export const TriedBots = DataResponse(
  Type.Object({
    bot: Nullable('string'),
    keyword: Nullable('string'),
    answer: StoredJson(Type.Union([StoredContent, Type.Null()])),
    problems: Type.Array(
      Type.Object({ bot: Type.String(), problem: Type.String(), problem_says: Coded }),
    ),
  }),
);

export const AnswersQuery = Type.Object({
  before: Type.Optional(Id),
});

export const Answers = DataResponse(
  Type.Object({
    answers: Type.Array(
      Type.Object({
        inbound_id: Type.Integer(),
        phone: Type.String(),
        name: Nullable('string'),
        text: Type.String(),
        state: Type.String(),
        reason: Nullable('string'),
        reason_says: Coded,
        bot_name: Nullable('string'),
        created_at: Type.String({ format: 'date-time' }),
      }),
    ),
    more: Type.Boolean(),
  }),
);
