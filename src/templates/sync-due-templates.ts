import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';
import { takeDueSync } from './queries.ts';
import { syncTemplates } from './sync-templates.ts';

/** The network allows an account 200 calls an hour, so there is room for callbacks and commands. */
const everySeconds = 3_600;

/** Syncs the templates of every tenant for which that is due, one after the other. */
export async function syncDueTemplates(services: Services): Promise<void> {
  for (;;) {
    const tenantId = await takeDueSync(services.db, everySeconds);
    if (tenantId === undefined) return;
    await syncTemplates(services, tenantId).catch((err) => {
      // Its last number was disconnected, and its next one asks for a sync of its own.
      if (err instanceof ApiError && err.kind === 'invalid') return;
      services.log.warn({ err, tenantId }, 'templates were not synced');
    });
  }
}
