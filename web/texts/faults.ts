import messages from './en/faults.json' with { type: 'json' };
import { translator } from './translator.ts';

const faults = translator(messages) as {
  has(code: string): boolean;
  (code: string, values?: Readonly<Record<string, string | number>>): string;
};

/** A sentence of the service: its code, and the values that fill it. */
export type Coded = { code: string; values?: Readonly<Record<string, string | number>> };

/** Returns our wording of a sentence of the service, or undefined for a code that is not in the catalogue. */
export function faultText({ code, values }: Coded): string | undefined {
  return faults.has(code) ? faults(code, values) : undefined;
}
