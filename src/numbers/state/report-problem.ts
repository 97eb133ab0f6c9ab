import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Log } from '../../platform/log.ts';
import { type GraphError, isTokenRefusal, refusalSentence } from '../../whatsapp/errors.ts';
import type { ConnectedNumber } from '../find-number.ts';
import { clearNumberProblem, setNumberProblem } from './problem-queries.ts';

/** Stores why a number cannot send, for the dashboard, and logs it if it is new. */
export async function reportProblem(
  { db, log }: { db: Db; log: Log },
  number: { tenantId: number; id: number },
  problem: Fault,
): Promise<void> {
  const { tenantId, id } = number;
  if (await setNumberProblem(db, tenantId, id, problem)) {
    log.warn({ tenantId, numberId: id, problem: problem.text }, 'a number cannot send');
  }
}

/**
 * Records whether the network refuses the number's access token, after any call with it. A refused
 * token means that no message can be sent.
 *
 * @param refused the network's refusal of the call; undefined if it was accepted
 */
export async function recordTokenStatus(
  services: { db: Db; log: Log },
  number: ConnectedNumber,
  refused: GraphError | undefined,
): Promise<void> {
  if (!refused) {
    if (number.problem !== null && isTokenRefusal(number.problem))
      await clearProblem(services, number);
    return;
  }
  const problem = refusalSentence(refused);
  if (isTokenRefusal(problem.text)) await reportProblem(services, number, problem);
}

/**
 * Clears the problem of a number after the network accepted a message from it. A problem that was
 * reported in the meantime stays. Never throws, because the message is already sent.
 */
export async function clearProblem(
  { db, log }: { db: Db; log: Log },
  { tenantId, id, problem }: ConnectedNumber,
): Promise<void> {
  if (problem === null) return;
  try {
    await clearNumberProblem(db, tenantId, id, problem);
  } catch (err) {
    log.warn({ tenantId, numberId: id, err }, 'could not clear the problem of a number');
  }
}
