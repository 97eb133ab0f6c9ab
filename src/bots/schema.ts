import { type Static, Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { doc, RecordId } from '../platform/http/field-schema.ts';
import { Name } from '../platform/values/texts/name.ts';
import { placeholderList } from './matching/fill-placeholders.ts';

/** The ways to compare a message with a bot's keywords; the more specific come first. */
export const matchKinds = ['exact', 'starts_with', 'contains', 'first_message', 'any'] as const;
export type MatchKind = (typeof matchKinds)[number];

const Match = Type.Union(
  [
    Type.Literal('exact'),
    Type.Literal('starts_with'),
    Type.Literal('contains'),
    Type.Literal('first_message'),
    Type.Literal('any'),
  ],
  {
    'x-message': fault('not_one_of', 'must be one of {known}', { known: matchKinds.join(', ') }),
    ...doc(
      'How the text of a message is compared with the keywords; case is ignored. `first_message`: the first message of a phone number; `any`: every message.',
      'contains',
    ),
  },
);

const BotName = Name(100);

const Keywords = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 });
const Reply = Type.String({ minLength: 1, maxLength: 4096 });
const Fields = Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 99 });

/** The longest pause, in minutes: a day. */
const maxPause = 1_440;
const Pause = Type.Integer({ minimum: 0, maximum: maxPause });

const templateName = { minLength: 1, maxLength: 512 };
const templateLanguage = { minLength: 1, maxLength: 32 };

const record = {
  id: RecordId,
  name: Type.String(doc('Name of the bot.', 'Opening hours')),
  active: Type.Boolean(doc('Whether the bot replies at present.', true)),
  match: Match,
  keywords: Type.Array(
    Type.String(),
    doc('Empty with `first_message` and `any`.', ['open', 'hours']),
  ),
  pause_minutes: Type.Integer(
    doc(
      'After a reply, the bot does not reply to the same phone number for this many minutes; 0: it replies to each message that matches.',
      10,
    ),
  ),
};

/** A message bot as the API shows it. */
export const MessageBot = Type.Object(
  {
    ...record,
    reply: Type.String(
      doc(
        `The text of the reply. ${placeholderList} are filled in; {{firstname|there}} has a default.`,
        'Hi {{firstname|there}}, we are open from 9 to 5.',
      ),
    ),
  },
  { title: 'MessageBot' },
);
export type MessageBot = Static<typeof MessageBot>;

/** A template bot as the API shows it. */
export const TemplateBot = Type.Object(
  {
    ...record,
    template_name: Type.String(doc('Name of the template.', 'opening_hours')),
    template_language: Type.String(doc('Language of the template.', 'en')),
    fields: Type.Array(
      Type.String(),
      doc('Values of `field_1`, `field_2` and so on, filled in like the reply of a message bot.', [
        '{{firstname|friend}}',
      ]),
    ),
  },
  { title: 'TemplateBot' },
);
export type TemplateBot = Static<typeof TemplateBot>;

const settings = {
  name: BotName,
  active: Type.Optional(Type.Boolean()),
  match: Match,
  keywords: Type.Optional(Keywords),
  pause_minutes: Type.Optional(Pause),
};

/** The settings of a new bot. */
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

/** A change of a bot; absent fields stay as they are. Its kind never changes. */
export const BotChange = Type.Object({
  name: Type.Optional(BotName),
  active: Type.Optional(Type.Boolean()),
  match: Type.Optional(Match),
  keywords: Type.Optional(Keywords),
  pause_minutes: Type.Optional(Pause),
  reply: Type.Optional(Reply),
  template_name: Type.Optional(Type.String(templateName)),
  template_language: Type.Optional(Type.String(templateLanguage)),
  fields: Type.Optional(Fields),
});
export type BotChange = Static<typeof BotChange>;

/** A bot as the caller gave it, before the check that it has the fields of its kind. */
export type GivenBot = { kind: NewBot['kind'] } & BotChange;
