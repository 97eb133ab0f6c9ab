import type { ConnectedNumber } from '../../numbers/find-number.ts';
import { clearProblem, reportProblem } from '../../numbers/report-problem.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SendOutcome } from '../../whatsapp/client.ts';
import { meaningOf, refusalMessage } from '../../whatsapp/errors.ts';

/** Notes what a send shows of its number: that it cannot send at the moment, or can again. */
export async function noteProblem(
  { db, log }: { db: Database; log: Log },
  number: ConnectedNumber,
  sent: SendOutcome,
): Promise<void> {
  if (sent.outcome === 'accepted') await clearProblem({ db, log }, number);
  if (sent.outcome === 'refused' && meaningOf(sent.error).fault === 'number') {
    await reportProblem({ db, log }, number, `${refusalMessage(sent.error)}.`);
  }
}
