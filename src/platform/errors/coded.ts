import { Type } from 'typebox';
import type { Code } from './fault.ts';

/** The code and the values of a sentence, for pages with their own wording; null if there is no sentence. */
export const Coded = Type.Unsafe<Code | null>({
  type: ['object', 'null'],
  properties: {
    code: { type: 'string' },
    // A value can be another sentence.
    values: { type: 'object', additionalProperties: {} },
  },
  required: ['code'],
});
