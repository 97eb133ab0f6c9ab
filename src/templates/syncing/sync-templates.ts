import { createNumberFinder } from '../../numbers/find-number.ts';
import { refreshNumber } from '../../numbers/refresh-number.ts';
import { reportProblem } from '../../numbers/state/report-problem.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Services } from '../../services.ts';
import { meaningOf, refusalFault, refusalSentence } from '../../whatsapp/errors.ts';
import type { ListedTemplates } from '../../whatsapp/list-templates.ts';
import { retrySeconds } from './request-template-sync.ts';
import { deleteUnlisted, readTime, recordSync, storeTemplates } from './sync-queries.ts';

/**
 * Fetches the templates of every business account of a tenant from the network, and stores, updates
 * and deletes ours to match. Stores each page separately, so that other statements do not wait for
 * a long list. An account that fails does not affect the others.
 *
 * @param isStopping whether the service is shutting down, so that failures are not reported
 * @param onTemplates receives the number of templates so far, after each page
 * @returns the number of templates
 * @throws ApiError 422 without a connected number, 500 if the network refuses or cannot be reached
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
    throw new ApiError('invalid', {
      message: fault('sync_without_number', 'This tenant has no WhatsApp number.'),
    });
  }
  // The last number of each account in this order is used: one without a problem, if there is one.
  const byProblem = numbers.toSorted((a, b) => Number(!a.problem) - Number(!b.problem));
  const accounts = new Map(byProblem.map((number) => [number.businessAccountId, number]));
  const counts = { templates: 0, approved: 0 };
  let failure: ApiError | undefined;
  for (const [accountId, number] of accounts) {
    const askedAt = await readTime(db);
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
    await deleteUnlisted(db, tenantId, accountId, askedAt);
  }
  await recordSync(db, tenantId, failure?.fault ?? null, retrySeconds);
  // Also refreshes what the network changes without a callback.
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
      message: fault(
        'sync_unreachable',
        'The network did not respond. Templates that it did not list stay as they were.',
      ),
      publicCode: 'network_unavailable',
      retryAfterSeconds: 30,
      cause: failed.cause,
    });
  }
  if (failed.outcome === 'endless') {
    return new ApiError('server_error', {
      message: fault(
        'sync_endless',
        "The network's list of templates has no end, so no template was removed.",
      ),
      retryAfterSeconds: 600,
    });
  }
  const { atFault, retryAfterSeconds } = meaningOf(failed.error);
  const refusal = refusalSentence(failed.error);
  if (atFault === 'number') await reportProblem(services, number, refusal);
  return new ApiError('server_error', {
    message: refusalFault(
      failed.error,
      `The network refused to list the templates: ${refusal.text}`,
    ),
    publicCode: 'network_refused',
    retryAfterSeconds: retryAfterSeconds ?? 60,
    cause: failed.error,
  });
}
