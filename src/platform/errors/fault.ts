export type Value = string | number;
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
 * system wrote must be given as a value, because braces in it would be replaced too.
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
  const filled = text.replace(/\{(\w+)\}/g, (braces, name) =>
    Object.hasOwn(values, name) ? written(values[name]!) : braces,
  );
  return { code, text: filled, values };
}

function written(value: Value): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}

/** Returns what a page with its own wording needs. */
export function codeOf({ code, values }: Fault): Omit<Fault, 'text'> {
  return values ? { code, values } : { code };
}
