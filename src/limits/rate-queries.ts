import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import type { RateMove } from '../whatsapp/rates/rate-position.ts';

/**
 * Moves the positions of rates, for all processes. The time is that of the statement, not of its transaction, because
 * it may have waited for another process. A clock that was set back counts as if no time had passed.
 *
 * @param moves of different rates
 * @returns how far each is ahead of its rate afterwards, in milliseconds, in the order of `moves`
 */
export async function moveRates(db: Db, moves: RateMove[]): Promise<number[]> {
  // All processes lock the rows in the same order.
  const inOrder = moves.toSorted(
    (a, b) => a.tenantId - b.tenantId || (a.limited < b.limited ? -1 : 1),
  );
  const { rows } = await db.query<{ tenant_id: number; limited: string; ahead_ms: number }>(
    statement(
      'move-rates',
      sql`
        insert into send_rates as rate (tenant_id, limited, ahead_ms, moved_at)
        select tenant_id, limited, moved_ms, clock_timestamp()
        from ${rowsOf('move', inOrder, {
          tenant_id: ['bigint', ({ tenantId }) => tenantId],
          limited: ['text', ({ limited }) => limited],
          moved_ms: ['float8', ({ movedMs }) => movedMs],
        })}
        on conflict (tenant_id, limited) do update
        set ahead_ms = greatest(0, excluded.ahead_ms + greatest(0, rate.ahead_ms - greatest(0,
              extract(epoch from clock_timestamp() - rate.moved_at)::float8 * 1000))),
            moved_at = clock_timestamp()
        returning tenant_id, limited, ahead_ms`,
    ),
  );
  const ahead = new Map(rows.map((row) => [`${row.tenant_id} ${row.limited}`, row.ahead_ms]));
  return moves.map(({ tenantId, limited }) => ahead.get(`${tenantId} ${limited}`)!);
}

/**
 * Deletes the positions that nobody has moved for ten minutes: none of them is ahead any more. Leaves out those that
 * another statement has locked, because `moveRates` locks in another order.
 */
export async function deleteOldRates(db: Db): Promise<void> {
  await db.query(sql`
    with old as materialized (
      select tenant_id, limited from send_rates
      where moved_at < clock_timestamp() - interval '10 minutes' for update skip locked
    )
    delete from send_rates using old
    where send_rates.tenant_id = old.tenant_id and send_rates.limited = old.limited`);
}
