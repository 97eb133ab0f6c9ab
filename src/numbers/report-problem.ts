import type { Db } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { type GraphError, isTokenRefusal, refusalMessage } from '../whatsapp/errors.ts';
import type { ConnectedNumber } from './find-number.ts';
import { clearNumberProblem, setNumberProblem } from './queries.ts';

/** Notes why a number cannot send at the moment, for its tenant to read; what is new goes into the log. */
export async function reportProblem(
  { db, log }: { db: Db; log: Log },
  number: { tenantId: number; id: number },
  problem: string,
): Promise<void> {
  const { tenantId, id } = number;
  if (await setNumberProblem(db, tenantId, id, problem)) {
    log.warn({ tenantId, numberId: id, problem }, 'a number cannot send');
  }
}

/**
 * Notes what any call with the number's access token shows of the token: that the network refuses it,
 * and so every message, or takes it again.
 *
 * @param refused what the network refused the call for; undefined when it did not
 */
export async function recordTokenStatus(
  services: { db: Db; log: Log },
  number: ConnectedNumber,
  refused: GraphError | undefined,
): Promise<void> {
  const words = refused && refusalMessage(refused);
  if (words === undefined) {
    if (number.problem !== null && isTokenRefusal(number.problem))
      await clearProblem(services, number);
  } else if (isTokenRefusal(words)) await reportProblem(services, number, `${words}.`);
}

/**
 * To be called when the network took a message of the number: what was known against it is over. A
 * problem that came up meanwhile stays. Never throws, for the message is sent.
 */
export async function clearProblem(
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
