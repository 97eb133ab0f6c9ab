import type pg from 'pg';
import type { Sequence } from './format.ts';

/**
 * Ids that were given out after the backup must not be given out again: clients, receivers of webhooks and WhatsApp
 * know them. So the sequences skip this many. Ids of tenants have too little room for that.
 */
export const skippedIds = 100_000_000;
/** Tenants get their ids in another way. */
export const tenantIds = 'tenants_id_seq';

/** Sets the sequences to the given values and `skipped` more. */
export async function setSequences(
  client: pg.ClientBase,
  sequences: Sequence[],
  skipped: number,
): Promise<void> {
  for (const { name, value } of sequences) {
    const more = name === tenantIds ? 0 : skipped;
    await client.query('select setval($1, $2)', [name, value + more]);
  }
}
