/** A value of a sentence. Another sentence, or several, keep their own codes. */
export type Value = string | number | Fault | readonly Fault[];
export type Values = Readonly<Record<string, Value>>;

/**
 * A sentence about what is wrong. Clients get `text`; the dashboard has its own wording for `code`
 * (web/texts/en/faults.json) and fills it with `values`.
 */
export type Fault<Code extends string = string> = { code: Code; text: string; values?: Values };

/** The names in braces of a text, if the type checker knows the text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * Creates a fault. The name of a value in braces in `text` is replaced by the value. What a person or another
 * system wrote must be given as a value, because braces in it would be replaced too. It may be cut anywhere.
 *
 * @param code unique for the sentence and its values
 */
export function fault<Code extends string, Text extends string>(
  code: Code,
  text: Text,
  ...[values]: [NamesIn<Text>] extends [never]
    ? [values?: Values]
    : [values: Values & Record<NamesIn<Text>, Value>]
): Fault<Code> {
  if (!values) return { code, text };
  const stored = storable(values);
  const filled = text.replace(/\{(\w+)\}/g, (braces, name) =>
    Object.hasOwn(stored, name) ? written(stored[name]!) : braces,
  );
  return { code, text: filled, values: stored };
}

/** Replaces halves of surrogate pairs, at which long texts are cut. PostgreSQL does not accept them in JSON. */
function storable(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  );
}

function written(value: Value): string {
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'string') return value;
  return [value].flat().map(textOf).join(' ');
}

const textOf = ({ text }: Fault) => text;

/** A fault for a page that words it itself. */
export type Code = Omit<Fault, 'text'>;

export function codeOf({ code, values }: Fault): Code {
  return values ? { code, values } : { code };
}

/**
 * Returns the code of a stored sentence. A process of an earlier release stores only texts, so the code counts only
 * if it belongs to the text.
 */
export function storedCode(text: string | null, stored: Fault | null | undefined): Code | null {
  return stored && stored.text === text ? codeOf(stored) : null;
}

/** Several sentences as one. */
export function joined(faults: readonly Fault[]): Fault | undefined {
  return faults.length > 1 ? fault('sentences', '{all}', { all: faults }) : faults[0];
}
