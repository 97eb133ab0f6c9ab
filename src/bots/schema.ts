import { type Static, Type } from 'typebox';
import { Name } from '../platform/name.ts';

/** How a bot's keywords are held against a message; the more specific come first. */
export const matchKinds = ['exact', 'starts_with', 'contains', 'first_message', 'any'] as const;
export type MatchKind = (typeof matchKinds)[number];

const matchWords = `must be one of ${matchKinds.join(', ')}`;

const Match = Type.Union(
  [
    Type.Literal('exact'),
    Type.Literal('starts_with'),
    Type.Literal('contains'),
    Type.Literal('first_message'),
    Type.Literal('any'),
  ],
  {
    'x-message': matchWords,
    description:
      'How the text of a message is held against the keywords, without regard to case. first_message: the first one that a phone ever writes; any: every message.',
  },
);

const BotName = Name(100);

const Keywords = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 });

const Reply = Type.String({
  minLength: 1,
  maxLength: 4096,
  description:
    'The answer. {{firstname}}, {{lastname}}, {{name}}, {{phone}}, {{email}}, {{company}}, {{city}} and {{message}} are filled in; {{firstname|friend}} has a default.',
});

const Fields = Type.Array(Type.String({ maxLength: 1024 }), {
  maxItems: 99,
  description: 'Values of field_1, field_2 and so on; placeholders as in a reply.',
});

const templateName = { minLength: 1, maxLength: 512 };
const templateLanguage = { minLength: 1, maxLength: 32 };

const record = {
  id: Type.Integer(),
  name: Type.String(),
  active: Type.Boolean(),
  match: Match,
  keywords: Type.Array(Type.String(), { description: 'Empty for first_message and any.' }),
};

/** A message bot as the API shows it. */
export const MessageBot = Type.Object({ ...record, reply: Type.String() }, { title: 'MessageBot' });
export type MessageBot = Static<typeof MessageBot>;

/** A template bot as the API shows it. */
export const TemplateBot = Type.Object(
  {
    ...record,
    template_name: Type.String(),
    template_language: Type.String(),
    fields: Type.Array(Type.String()),
  },
  { title: 'TemplateBot' },
);
export type TemplateBot = Static<typeof TemplateBot>;

export const MessageBots = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(MessageBot),
});

export const TemplateBots = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(TemplateBot),
});

const settings = {
  name: BotName,
  active: Type.Optional(Type.Boolean()),
  match: Match,
  keywords: Type.Optional(Keywords),
};

/** What a new bot is made of. */
export const NewMessageBot = Type.Object({ ...settings, reply: Reply });
export const NewTemplateBot = Type.Object({
  ...settings,
  template_name: Type.String(templateName),
  template_language: Type.String(templateLanguage),
  fields: Type.Optional(Fields),
});

export type NewBot =
  | ({ kind: 'message' } & Static<typeof NewMessageBot>)
  | ({ kind: 'template' } & Static<typeof NewTemplateBot>);

/** What may be changed of a bot: what is absent stays. Its kind never changes. */
export const BotChange = Type.Object({
  name: Type.Optional(BotName),
  active: Type.Optional(Type.Boolean()),
  match: Type.Optional(Match),
  keywords: Type.Optional(Keywords),
  reply: Type.Optional(Reply),
  template_name: Type.Optional(Type.String(templateName)),
  template_language: Type.Optional(Type.String(templateLanguage)),
  fields: Type.Optional(Fields),
});
export type BotChange = Static<typeof BotChange>;

/** A bot as it comes in: whether it has what its kind needs is still to be checked. */
export type GivenBot = { kind: NewBot['kind'] } & BotChange;
