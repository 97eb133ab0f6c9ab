import type { Db } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { setNumberProblem } from './queries.ts';

/** Notes why a number cannot send at the moment, for its tenant to read, and warns in the log. */
export async function reportProblem(
  { db, log }: { db: Db; log: Log },
  number: { tenantId: number; id: number },
  problem: string,
): Promise<void> {
  log.warn({ tenantId: number.tenantId, numberId: number.id, problem }, 'a number cannot send');
  await setNumberProblem(db, number.tenantId, number.id, problem);
}
