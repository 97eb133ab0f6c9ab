import { createTranslator } from 'use-intl/core';

export const locale = 'en';

/**
 * Returns the function that gives the texts of a catalogue, `t('title')` or `t('count', { count: 3 })`. Keys and
 * values are checked by the types that `npm run texts` writes beside each catalogue.
 *
 * @param messages a catalogue: texts in ICU MessageFormat
 * @see https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export function translator<const Messages extends Record<string, unknown>>(messages: Messages) {
  return createTranslator<Messages>({ locale, messages });
}

type Translator = { has(key: never): boolean; (key: never): string; raw(key: never): unknown };

/** Returns the text for a name that comes from the service, or `otherwise` if the catalogue does not have it. */
export function textOr(t: Translator, key: string, otherwise: string): string {
  return t.has(key as never) ? t(key as never) : otherwise;
}

/** Returns a group of texts without values, such as those of the options of a field. */
export function textsOf(t: Translator, group: string): Readonly<Record<string, string>> {
  return t.raw(group as never) as Record<string, string>;
}
