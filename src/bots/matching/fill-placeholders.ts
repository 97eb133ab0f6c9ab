import { contactFieldNames } from '../../contacts/contact-fields.ts';

/** The names that a placeholder can have: the fields of the contact, its full name, and the message. */
export const placeholderNames = [...contactFieldNames, 'name', 'message'] as const;

/** All placeholders as people read them: "{{firstname}}, {{lastname}} and ...". */
export const placeholderList = new Intl.ListFormat('en-GB').format(
  placeholderNames.map((name) => `{{${name}}}`),
);

export type PlaceholderValues = Partial<
  Record<(typeof placeholderNames)[number], string | null | undefined>
>;

/** The spaces around the name are trimmed in code: in the expression they would make it cubic. */
const placeholder = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/**
 * A text with its placeholders filled in, once: what a value holds is not filled in again.
 * `{{city|your city}}` has a default; without one a missing value is empty text.
 */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(placeholder, (_whole, name: string, fallback: string | undefined) => {
    const key = keyOf(name) as keyof PlaceholderValues;
    const value = Object.hasOwn(values, key) ? values[key]?.trim() : undefined;
    return value || (fallback ?? '').trim();
  });
}

/** What is between braces and names nothing, as it was written. */
export function unknownPlaceholders(text: string): string[] {
  return [...text.matchAll(placeholder)]
    .filter(([, name]) => !(placeholderNames as readonly string[]).includes(keyOf(name!)))
    .map(([whole]) => whole);
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
