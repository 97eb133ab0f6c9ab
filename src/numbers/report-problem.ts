import type { Db } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { ConnectedNumber } from './find-number.ts';
import { clearNumberProblem, setNumberProblem } from './queries.ts';

/** Notes why a number cannot send at the moment, for its tenant to read, and warns in the log. */
export async function reportProblem(
  { db, log }: { db: Db; log: Log },
  number: { tenantId: number; id: number },
  problem: string,
): Promise<void> {
  log.warn({ tenantId: number.tenantId, numberId: number.id, problem }, 'a number cannot send');
  await setNumberProblem(db, number.tenantId, number.id, problem);
}

/**
 * To be called when the network took a message of the number: what was known against it is over. A
 * problem that came up meanwhile stays. Never throws, for the message is sent.
 */
export async function forgetProblem(
  { db, log }: { db: Db; log: Log },
  { tenantId, id, problem }: ConnectedNumber,
): Promise<void> {
  if (problem === null) return;
  try {
    await clearNumberProblem(db, tenantId, id, problem);
  } catch (err) {
    log.warn({ tenantId, numberId: id, err }, 'a problem that is over is still shown');
  }
}
