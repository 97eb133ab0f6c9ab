import { contactFieldNames } from '../../contacts/fields/contact-fields.ts';

/**
 * The names that a placeholder can have: the fields of the contact, its full name, and the message. Besides, it can
 * name an entry of the contact's metadata, as `metadata.plan`.
 */
export const placeholderNames = [...contactFieldNames, 'name', 'message'] as const;

/** All placeholders as a list in a sentence: "{{firstname}}, {{lastname}} and ...". */
export const placeholderList = new Intl.ListFormat('en-GB').format(
  [...placeholderNames, 'metadata.name'].map((name) => `{{${name}}}`),
);

type MetadataName = `metadata.${string}`;

export type PlaceholderValues = Partial<
  Record<(typeof placeholderNames)[number] | MetadataName, string | null | undefined>
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
    .filter(([, name]) => !isPlaceholder(keyOf(name!)))
    .map(([whole]) => whole);
}

/** A value for each entry of the metadata that the texts name, for a check without a contact. */
export function sampleMetadata(texts: string[]): PlaceholderValues {
  const keys = texts.flatMap((text) =>
    [...text.matchAll(placeholder)].map(([, name]) => keyOf(name!)),
  );
  return Object.fromEntries(
    keys.filter((key) => key.startsWith('metadata.')).map((key) => [key, 'sample']),
  );
}

function isPlaceholder(key: string): boolean {
  return (placeholderNames as readonly string[]).includes(key) || /^metadata\../.test(key);
}

/** Case matters only in the name of an entry of the metadata. */
function keyOf(name: string): string {
  const key = name.trim();
  const [, entry] = /^metadata\.(.+)$/i.exec(key) ?? [];
  return entry ? `metadata.${entry}` : key.toLowerCase();
}
