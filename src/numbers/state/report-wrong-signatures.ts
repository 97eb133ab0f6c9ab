import type { TenantHolds } from '../../moving/holding/tenant-holds.ts';
import { createTtlCache } from '../../platform/concurrency/ttl-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { makeChecksDue } from '../checking/make-checks-due.ts';

/** Anybody who knows a callback URL can cause reports. */
const everyMs = 5 * 60_000;

/**
 * Creates the reporter of callbacks whose signature is wrong. If the app secret of a number was changed at the
 * network, all its callbacks are refused, so its check, which finds this, becomes due at once. Each process does
 * this, and logs a warning, at most every five minutes for each number. The reporter never throws, for example
 * while the tenant is held, because the callback is a 401 in any case.
 */
export function createWrongSignatureReporter({
  db,
  log,
  holds,
}: {
  db: Db;
  log: Log;
  holds: TenantHolds;
}) {
  const reported = createTtlCache<true>({ ttlMs: everyMs });

  return async function reportWrongSignature({
    tenantId,
    id,
    phoneNumberId,
  }: {
    tenantId: number;
    id: number;
    phoneNumberId: string;
  }): Promise<void> {
    const key = `${tenantId} ${id}`;
    if (reported.get(key)) return;
    reported.set(key, true);
    log.warn({ tenantId, phoneNumberId }, 'callback with a wrong signature');
    try {
      await holds.write(tenantId, () => makeChecksDue(db, tenantId, { ids: [id] }));
    } catch (err) {
      log.warn({ tenantId, phoneNumberId, err }, 'the check of a number could not be made due');
    }
  };
}
