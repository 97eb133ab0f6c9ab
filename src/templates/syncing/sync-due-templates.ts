import { ApiError } from '../../platform/errors/api-error.ts';
import type { Services } from '../../services.ts';
import { retrySeconds } from './request-template-sync.ts';
import { claimDueSync, scheduleNextSync } from './sync-queries.ts';
import { syncTemplates } from './sync-templates.ts';

/**
 * The network allows 200 calls per hour and account, so this leaves room for syncs after callbacks
 * and commands.
 */
const everySeconds = 3_600;
/** The pause for a tenant without messages in the last week. Most tenants of a large installation are idle. */
const everySecondsIdle = 86_400;

/** Syncs the templates of every tenant whose sync is due, one after the other. */
export async function syncDueTemplates(
  services: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const claimed = await claimDueSync(services.db, retrySeconds);
    if (!claimed) return;
    let next = {
      seconds: everySeconds * (0.9 + 0.2 * Math.random()),
      secondsIdle: everySecondsIdle * (0.9 + 0.2 * Math.random()),
    };
    try {
      await syncTemplates(services, claimed.tenant_id, { isStopping });
    } catch (err) {
      if (isStopping()) return;
      // The tenant's last number was disconnected. The next one that it connects requests a sync.
      if (!(err instanceof ApiError && err.kind === 'invalid')) {
        services.log.warn({ err, tenantId: claimed.tenant_id }, 'could not sync templates');
        next = { seconds: retrySeconds, secondsIdle: retrySeconds };
      }
    }
    await scheduleNextSync(services.db, claimed, next);
  }
}
