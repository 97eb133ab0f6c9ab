import faults from './en/faults.json' with { type: 'json' };
import reasons from './en/reasons.json' with { type: 'json' };
import { translator } from './translator.ts';

const sentences = translator({ ...faults, ...reasons }) as {
  has(code: string): boolean;
  (code: string, values?: Readonly<Record<string, string | number>>): string;
};

/** A sentence of the service: its code, and the values that fill it. A value can be another sentence, or several. */
export type Coded = { code: string; values?: Readonly<Record<string, unknown>> };

type Value = string | number | Nested | Nested[];
/** A sentence within another one has the service's own text too. */
type Nested = Coded & { text: string };

/** Returns our wording of a sentence of the service, or undefined for a code that is not in the catalogue. */
export function faultText({ code, values = {} }: Coded): string | undefined {
  if (!sentences.has(code)) return undefined;
  const filled = Object.entries(values).map(([name, value]) => [name, wordingOf(value as Value)]);
  return sentences(code, Object.fromEntries(filled));
}

function wordingOf(value: Value): string | number {
  if (typeof value !== 'object') return value;
  const sentences = [value].flat();
  return sentences.map((each) => faultText(each) ?? each.text).join(' ');
}
