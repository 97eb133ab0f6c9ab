import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { outcomesOf, summedAndAdded } from './roll-up-queries.ts';

/**
 * Completes the outcomes of a tenant that were copied from another installation, in the transaction that copied its
 * messages. There, the messages up to `countedTo` were counted. If the walk here has not come as far, it leaves
 * these out; if it is ahead, the messages in between are counted now.
 */
export async function takeOverOutcomes(tx: Db, tenantId: number, countedTo: number): Promise<void> {
  // The walk waits for the end of the transaction.
  const { rows } = await tx.query<{ done_to: number }>(sql`
    select done_to from message_walks where name = 'outcomes' for update`);
  const doneTo = rows[0]!.done_to;
  await tx.query(sql`
    update tenants set outcomes_counted_to = ${countedTo > doneTo ? countedTo : null}::bigint
    where id = ${tenantId}`);
  const between = sql`
    messages.tenant_id = ${tenantId} and messages.id > ${countedTo} and messages.id <= ${doneTo}`;
  await tx.query(sql`
    with consumed as (
      delete from message_outcome_changes where tenant_id = ${tenantId} returning *
    ), gathered as (
      select tenant_id, day, outcome, code, change::bigint as messages, title, at
      from consumed where message_id <= ${countedTo}
      union all
      ${outcomesOf(between)}
    ), ${summedAndAdded}
    select count(*) from summed`);
}

/** Returns the id up to which the messages of a tenant are counted in its stored outcomes. */
export async function findCountedTo(db: Pick<Db, 'query'>, tenantId: number): Promise<number> {
  const { rows } = await db.query<{ counted_to: number }>(sql`
    select greatest(done_to, (select outcomes_counted_to from tenants where id = ${tenantId})) as counted_to
    from message_walks where name = 'outcomes'`);
  return rows[0]!.counted_to;
}
