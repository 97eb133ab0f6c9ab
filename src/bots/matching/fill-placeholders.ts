import { contactFieldNames } from '../../contacts/contact-fields.ts';

/** The names that a placeholder can have: the fields of the contact, its full name, and the message. */
export const placeholderNames = [...contactFieldNames, 'name', 'message'] as const;

/** All placeholders as a list in a sentence: "{{firstname}}, {{lastname}} and ...". */
export const placeholderList = new Intl.ListFormat('en-GB').format(
  placeholderNames.map((name) => `{{${name}}}`),
);

export type PlaceholderValues = Partial<
  Record<(typeof placeholderNames)[number], string | null | undefined>
>;

/** Spaces around the name are trimmed in code, because in the expression they would take cubic time. */
const placeholder = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/**
 * Fills the placeholders of a text once: placeholders inside a value are not filled. `{{city|your city}}` has a
 * default. Without a default, a missing value is empty text.
 */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(placeholder, (_whole, name: string, fallback: string | undefined) => {
    const key = keyOf(name) as keyof PlaceholderValues;
    const value = Object.hasOwn(values, key) ? values[key]?.trim() : undefined;
    return value || (fallback ?? '').trim();
  });
}

/** Finds the placeholders of a text that do not exist, as they are written. */
export function unknownPlaceholders(text: string): string[] {
  return [...text.matchAll(placeholder)]
    .filter(([, name]) => !(placeholderNames as readonly string[]).includes(keyOf(name!)))
    .map(([whole]) => whole);
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
