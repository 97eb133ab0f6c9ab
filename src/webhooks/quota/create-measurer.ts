import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { readEndpointKey } from '../endpoint-key.ts';
import { measureDeliveries, measureTenants } from './measure-deliveries.ts';
import { findUnsettledTenants } from './measure-queries.ts';

/** How often to look at every tenant, for notifications that another process has missed. */
const measureAllEveryMs = 900_000;

/**
 * Creates the job that measures the deliveries of the tenants with new ones, as the notifications name them.
 * So its cost depends on what changed, and not on the number of tenants.
 *
 * @returns `measure` to be called every few seconds; `stop` ends the notifications
 */
export function createMeasurer(services: { db: Database; config: Config; log: Log }) {
  const { db } = services;
  const changed = new Set<number>();
  let measureAllAt = 0;
  const listening = db.listen('deliveries', (payload) => {
    // Some may have been missed.
    if (payload === '') measureAllAt = 0;
    const endpoint = readEndpointKey(payload);
    if (endpoint) changed.add(endpoint.tenantId);
  });

  return {
    async measure(isStopping: () => boolean): Promise<void> {
      const isOfAll = performance.now() >= measureAllAt;
      const tenantIds = new Set(changed);
      // Before the first await: what is notified from now on belongs to the next pass.
      changed.clear();
      try {
        if (!isOfAll) {
          for (const tenantId of await findUnsettledTenants(db)) tenantIds.add(tenantId);
          return await measureTenants(services, [...tenantIds], isStopping);
        }
        measureAllAt = performance.now() + measureAllEveryMs;
        await measureDeliveries(services, isStopping);
      } catch (error) {
        measureAllAt = 0;
        throw error;
      }
    },
    stop: async () => (await listening)(),
  };
}
