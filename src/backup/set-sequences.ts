import type pg from 'pg';
import type { Sequence } from './format.ts';

/**
 * Ids that were given out after the backup must not be given out again: clients, receivers of webhooks and WhatsApp
 * know them. So the sequences go on this far behind. Ids of tenants have too little room for that, and stay.
 */
export const skippedIds = 100_000_000;
const keptSequences = ['tenants_id_seq'];

/** Lets the sequences go on `skipped` after the given values. */
export async function setSequences(
  client: pg.ClientBase,
  sequences: Sequence[],
  skipped: number,
): Promise<void> {
  for (const { name, value } of sequences) {
    const more = keptSequences.includes(name) ? 0 : skipped;
    await client.query('select setval($1, $2)', [name, value + more]);
  }
}
