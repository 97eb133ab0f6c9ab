import { ApiError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import { planNextSync, takeDueSync } from '../queries.ts';
import { retrySeconds, syncTemplates } from './sync-templates.ts';

/** The network allows an account 200 calls an hour, so there is room for callbacks and commands. */
const everySeconds = 3_600;

/** Syncs the templates of every tenant for which that is due, one after the other. */
export async function syncDueTemplates(
  services: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const taken = await takeDueSync(services.db, retrySeconds);
    if (!taken) return;
    let nextSeconds = everySeconds * (0.9 + 0.2 * Math.random());
    try {
      await syncTemplates(services, taken.tenant_id, { isStopping });
    } catch (err) {
      if (isStopping()) return;
      // Its last number was disconnected, and its next one asks for a sync of its own.
      if (!(err instanceof ApiError && err.kind === 'invalid')) {
        services.log.warn({ err, tenantId: taken.tenant_id }, 'templates were not synced');
        nextSeconds = retrySeconds;
      }
    }
    await planNextSync(services.db, taken, nextSeconds);
  }
}
