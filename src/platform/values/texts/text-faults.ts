import { type Fault, fault } from '../../errors/fault.ts';

/** Explains why PostgreSQL cannot store a text; undefined if it can. */
export function unstorableFault(text: string): Fault | undefined {
  if (text.includes('\0')) return fault('has_nul', 'must not have the character NUL (U+0000)');
  if (!text.isWellFormed())
    return fault('broken_unicode', 'must be valid Unicode; it has half of a surrogate pair');
  return undefined;
}
