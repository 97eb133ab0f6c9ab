import type { ConnectedNumber } from '../../numbers/find-number.ts';
import { recordUnheard } from '../../numbers/state/record-heard.ts';
import { clearProblem, reportProblem } from '../../numbers/state/report-problem.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SendOutcome } from '../../whatsapp/client.ts';
import { meaningOf, refusalSentence } from '../../whatsapp/errors.ts';

/** Records that a number cannot send at the moment, or clears this and expects a report when a send succeeds. */
export async function recordNumberProblem(
  { db, log }: { db: Database; log: Log },
  number: ConnectedNumber,
  sent: SendOutcome,
): Promise<void> {
  if (sent.outcome === 'accepted') {
    await clearProblem({ db, log }, number);
    await recordUnheard({ db, log }, number.tenantId, number);
  }
  if (sent.outcome === 'refused' && meaningOf(sent.error).atFault === 'number') {
    await reportProblem({ db, log }, number, refusalSentence(sent.error));
  }
}
