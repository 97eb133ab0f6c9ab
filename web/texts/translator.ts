import { createTranslator } from 'use-intl/core';
import { regional } from './region.ts';

/** The language of the texts. */
export const locale = 'en';

const createdRules = new Map<Intl.PluralRuleType, Intl.PluralRules>();

type Formatters = NonNullable<Parameters<typeof createTranslator>[0]['_formatters']>;

// Plurals belong to the language of the texts, numbers to the region, as everywhere else on the page. Texts have no
// dates, times or lists: these are values, which format.ts has formatted.
const formatters = {
  getNumberFormat: () => regional().number,
  getPluralRules: (_, { type = 'cardinal' } = {}) => pluralRules(type),
} satisfies Partial<Formatters> as Formatters;

/** Creates the rules of each type once: that takes longer than to use them, and a list asks in each row. */
function pluralRules(type: Intl.PluralRuleType): Intl.PluralRules {
  const known = createdRules.get(type);
  if (known) return known;
  const rules = new Intl.PluralRules(locale, { type });
  createdRules.set(type, rules);
  return rules;
}

/**
 * Returns the function that gives the texts of a catalogue, `t('title')` or `t('count', { count: 3 })`. Keys and
 * values are checked by the types that `npm run texts` writes beside each catalogue.
 *
 * @param messages a catalogue: texts in ICU MessageFormat
 * @see https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export function translator<const Messages extends Record<string, unknown>>(messages: Messages) {
  return createTranslator<Messages>({ locale, messages, _formatters: formatters });
}

type Translator = { raw(key: never): unknown };

/**
 * Returns the text for a name that comes from the service, or `otherwise` if the catalogue does not have it.
 *
 * @param key a group and the name, as `topics.order.created`. The name may have dots, which a key of `t` may not.
 */
export function textOr(t: Translator, key: string, otherwise: string): string {
  const end = key.indexOf('.');
  const texts = textsOf(t, key.slice(0, end));
  const name = key.slice(end + 1);
  return Object.hasOwn(texts, name) ? texts[name]! : otherwise;
}

/** Returns a group of texts without values, such as those of the options of a field. */
export function textsOf(t: Translator, group: string): Readonly<Record<string, string>> {
  return t.raw(group as never) as Record<string, string>;
}
