import { ApiError } from '../../errors.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { refreshNumber } from '../../numbers/refresh-number.ts';
import { reportProblem } from '../../numbers/report-problem.ts';
import type { Services } from '../../services.ts';
import { meaningOf, refusalMessage } from '../../whatsapp/errors.ts';
import type { ListedTemplates } from '../../whatsapp/list-templates.ts';
import { forgetUnlisted, noteSync, storeTemplates } from '../queries.ts';

/** A sync that failed, or was cut off, is tried again after this. */
export const retrySeconds = 120;

/**
 * Fetches the templates of every business account of a tenant from the network and stores them as
 * they are there: new, changed and gone, each page by itself, so that nobody waits for a long list.
 * An account that does not give them keeps no other from its own.
 *
 * @param isStopping whether what fails may do so because the service ends, which is no news
 * @param onTemplates is told how many there were so far
 * @returns how many there are
 * @throws ApiError 422 without a connected number, 500 when the network refuses or cannot be reached
 */
export async function syncTemplates(
  services: Services,
  tenantId: number,
  {
    isStopping = () => false,
    onTemplates,
  }: { isStopping?: () => boolean; onTemplates?(templates: number): void } = {},
): Promise<{ templates: number; approved: number }> {
  const { db, network } = services;
  const numbers = await createNumberFinder(services).connected(tenantId);
  if (numbers.length === 0) {
    throw new ApiError('invalid', { message: 'This tenant has no WhatsApp number.' });
  }
  // Of several numbers of an account the last is asked with: one that nothing is known against.
  const inTurn = numbers.toSorted((a, b) => Number(!a.problem) - Number(!b.problem));
  const accounts = new Map(inTurn.map((number) => [number.businessAccountId, number]));
  const counts = { templates: 0, approved: 0 };
  let failure: ApiError | undefined;
  for (const [accountId, number] of accounts) {
    const askedAt = new Date();
    const listed = await network.listTemplates(number, accountId, async (templates) => {
      if (isStopping()) throw new Error('The service is stopping.');
      await storeTemplates(db, tenantId, accountId, { templates, askedAt });
      counts.templates += templates.length;
      counts.approved += templates.filter(({ status }) => status === 'APPROVED').length;
      onTemplates?.(counts.templates);
    });
    if (listed.outcome !== 'listed') {
      if (isStopping()) throw new Error('The service is stopping.');
      const described = await describe(services, number, listed);
      failure ??= described;
      accounts.delete(accountId);
      continue;
    }
    await forgetUnlisted(db, tenantId, accountId, askedAt);
  }
  await noteSync(db, tenantId, failure?.message ?? null, retrySeconds);
  // The occasion to ask for what else the network changes without telling.
  for (const number of numbers) {
    if (accounts.has(number.businessAccountId)) await refreshNumber(services, number);
  }
  if (failure) throw failure;
  return counts;
}

async function describe(
  services: Services,
  number: { tenantId: number; id: number },
  failed: Exclude<ListedTemplates, { outcome: 'listed' }>,
): Promise<ApiError> {
  if (failed.outcome === 'unreachable') {
    return new ApiError('server_error', {
      message: 'The network did not respond. Templates that it did not list stay as they were.',
      retryAfterSeconds: 30,
      cause: failed.cause,
    });
  }
  if (failed.outcome === 'endless') {
    return new ApiError('server_error', {
      message: "The network's list of templates has no end, so no template was removed.",
      retryAfterSeconds: 600,
    });
  }
  const { fault, retryAfterSeconds } = meaningOf(failed.error);
  const said = `${refusalMessage(failed.error)}.`;
  if (fault === 'number') await reportProblem(services, number, said);
  return new ApiError('server_error', {
    message: `The network refused to list the templates: ${said}`,
    retryAfterSeconds: retryAfterSeconds ?? 60,
    cause: failed.error,
  });
}
