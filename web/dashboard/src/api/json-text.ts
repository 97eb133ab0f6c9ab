import { parse, stringify } from 'lossless-json';

/**
 * Parses JSON with numbers as they were written (`LosslessNumber`): ids of stores are longer than a number can hold. If
 * a name occurs twice, the last value counts, as on the server.
 *
 * @throws if it is not JSON
 */
export function readJson(text: string): unknown {
  return parse(text, null, { onDuplicateKey: ({ newValue }) => newValue });
}

/** Indents JSON. Other texts, such as a long body that was cut, stay as they are. */
export function prettyJson(text: string): string {
  try {
    return stringify(readJson(text), null, 2) ?? text;
  } catch {
    return text;
  }
}
