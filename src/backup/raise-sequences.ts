import type pg from 'pg';
import type { Sequence } from './format.ts';
import { tenantIds } from './set-sequences.ts';

/** How many ids the service may draw between the two statements below. */
const margin = 1_000_000;

/**
 * Raises the sequences of this installation above the ids of an imported tenant, so that its new rows come after its
 * old ones. Sequences are never set back, and not part of a transaction.
 */
export async function raiseSequences(client: pg.ClientBase, sequences: Sequence[]): Promise<void> {
  for (const { name, value } of sequences) {
    if (name === tenantIds) continue;
    const { rows } = await client.query<{ last: number }>(
      'select coalesce(last_value, 0) as last from pg_sequences where schemaname = current_schema() and quote_ident(sequencename) = $1',
      [name],
    );
    if (rows[0] && rows[0].last < value) {
      await client.query('select setval($1, $2)', [name, value + margin]);
    }
  }
}
