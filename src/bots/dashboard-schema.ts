import { Type } from 'typebox';
import { StoredContent } from '../messages/stored-content.ts';
import { Coded } from '../platform/errors/coded.ts';
import { StoredJson } from '../platform/http/stored-json.ts';
import { Id } from '../platform/values/id.ts';
import { BotChange, MessageBot, NewMessageBot } from './schema.ts';

const success = Type.Literal(true);
const MaybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const { reply, ...common } = MessageBot.properties;

const Bot = Type.Object({
  ...common,
  kind: Type.Union([Type.Literal('message'), Type.Literal('template')]),
  reply: Type.Optional(reply),
  template_name: Type.Optional(Type.String()),
  template_language: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Array(Type.String())),
});

export const Bots = Type.Object({
  success,
  data: Type.Array(
    Type.Object({
      ...Bot.properties,
      problem: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Why it cannot answer at the moment; null if it can.',
      }),
      problem_says: Coded,
    }),
  ),
});

/** A bot of either kind. `checkBot` checks that it has the fields of its kind. */
export const CreateBot = Type.Object({
  kind: Type.Union([Type.Literal('message'), Type.Literal('template')]),
  ...BotChange.properties,
  name: NewMessageBot.properties.name,
  match: NewMessageBot.properties.match,
});

export const OneBot = Type.Object({ success, data: Bot });
export const BotDone = Type.Object({ success, data: Type.Object({ id: Type.Integer() }) });

export const TryBots = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 4096 }),
  is_first: Type.Optional(Type.Boolean()),
});

export const TriedBots = Type.Object({
  success,
  data: Type.Object({
    bot: MaybeText,
    keyword: MaybeText,
    answer: StoredJson(Type.Union([StoredContent, Type.Null()])),
    problems: Type.Array(
      Type.Object({ bot: Type.String(), problem: Type.String(), problem_says: Coded }),
    ),
  }),
});

export const AnswersQuery = Type.Object({
  before: Type.Optional(Id),
});

export const Answers = Type.Object({
  success,
  data: Type.Object({
    answers: Type.Array(
      Type.Object({
        inbound_id: Type.Integer(),
        phone: Type.String(),
        text: Type.String(),
        state: Type.String(),
        reason: MaybeText,
        reason_says: Coded,
        bot_name: MaybeText,
        created_at: Type.String({ format: 'date-time' }),
      }),
    ),
    more: Type.Boolean(),
  }),
});
