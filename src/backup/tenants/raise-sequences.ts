import type pg from 'pg';
import { ArchiveProblem } from '../../platform/archive/read-archive.ts';
import type { Sequence } from '../format.ts';
import { tenantIds } from '../set-sequences.ts';

/** How many ids the service may draw between the two statements below. */
const margin = 1_000_000;

/** Far above the ids of any installation, and far below those that JavaScript can count. */
const maxValue = 2 ** 50;

/**
 * Raises the sequences of this installation above the ids of an imported tenant, so that its new rows come after its
 * old ones. Sequences are never set back, and not part of a transaction.
 *
 * @throws ArchiveProblem for a value that no installation reaches, because all tenants would run out of ids
 */
export async function raiseSequences(client: pg.ClientBase, sequences: Sequence[]): Promise<void> {
  for (const { name, value } of sequences) {
    if (name === tenantIds) continue;
    if (value > maxValue) throw new ArchiveProblem(`The sequence ${name} cannot be at ${value}.`);
    const { rows } = await client.query<{ last: number }>(
      'select coalesce(last_value, 0) as last from pg_sequences where schemaname = current_schema() and quote_ident(sequencename) = $1',
      [name],
    );
    if (rows[0] && rows[0].last < value) {
      await client.query('select setval($1, $2)', [name, value + margin]);
    }
  }
}
