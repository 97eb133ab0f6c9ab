import { settleAbandoned } from '../../src/messages/sending/settle-abandoned.ts';
import { eventually } from '../checks/eventually.ts';
import type { TestApp } from '../program/app.ts';

/**
 * Marks every send without an outcome as abandoned, as if no send could take any time. Waits for other tests'
 * transactions, as the worker does.
 *
 * @returns how many sends it marked
 */
export async function settleSends({ db }: Pick<TestApp, 'db'>): Promise<number> {
  let count = 0;
  await eventually(async () => {
    count += await settleAbandoned(db, 0);
    const { rows } = await db.pool.query<{ is_done: boolean }>(`
      select done_to >= coalesce((select max(id) from messages), 0) as is_done
      from message_walks where name = 'abandoned'`);
    return rows[0]!.is_done;
  });
  return count;
}
