import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { outcomesOf, summedAndAdded } from './roll-up-queries.ts';

/**
 * Completes the outcomes of a tenant that were copied from another installation, in the transaction that copied its
 * messages. There, the messages up to `countedTo` were counted; here, those up to the place of the walk are.
 */
export async function takeOverOutcomes(tx: Db, tenantId: number, countedTo: number): Promise<void> {
  // The walk waits for the end of the transaction.
  const { rows } = await tx.query<{ done_to: number }>(sql`
    select done_to from message_walks where name = 'outcomes' for update`);
  const doneTo = rows[0]!.done_to;
  const [from, to] = [Math.min(countedTo, doneTo), Math.max(countedTo, doneTo)];
  const between = sql`
    messages.tenant_id = ${tenantId} and messages.id > ${from} and messages.id <= ${to}`;
  await tx.query(sql`
    with consumed as (
      delete from message_outcome_changes where tenant_id = ${tenantId} returning *
    ), gathered as (
      select tenant_id, day, outcome, code, change::bigint as messages, title, at
      from consumed where message_id <= ${countedTo}
      union all
      ${outcomesOf(between, countedTo < doneTo ? 1 : -1)}
    ), ${summedAndAdded}
    select count(*) from summed`);
}
