import { Type } from 'typebox';
import type { Fault } from './fault.ts';

/** The code and the values of a sentence, for pages with their own wording; null if there is no sentence. */
export const Coded = Type.Unsafe<Omit<Fault, 'text'> | null>({
  type: ['object', 'null'],
  properties: {
    code: { type: 'string' },
    values: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  },
  required: ['code'],
});
