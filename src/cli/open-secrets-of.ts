import { openNumberSecrets } from '../numbers/find-number.ts';
import { listNumbers } from '../numbers/queries.ts';
import type { Services } from '../services.ts';
import { listStores } from '../stores/queries.ts';
import { openKeys } from '../stores/store-keys.ts';
import { listTenants } from '../tenants/queries.ts';
import { findWebhookSecrets } from '../webhooks/queries.ts';
import { createSecretOpener } from '../webhooks/secrets/open-secrets.ts';

/** At a start: enough to find out, and soon done where there are many tenants. */
const mostTenants = 20;

/**
 * Whether the master key opens what some tenant has sealed. With the wrong one everything looks whole
 * until something is sent, and what is sealed meanwhile is lost to the right one.
 */
export async function isKeyOfDatabase(services: Services): Promise<boolean> {
  try {
    for (const tenant of (await listTenants(services.db)).slice(0, mostTenants)) {
      if ((await openSecretsOf(services, tenant.id)) > 0) break;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens every secret of a tenant: any one may be all that the database has.
 *
 * @returns how many numbers, webhooks and stores have some
 * @throws Error when one was sealed under another key
 */
export async function openSecretsOf(services: Services, tenantId: number): Promise<number> {
  const { db, vault } = services;
  const numbers = await listNumbers(db, tenantId);
  for (const number of numbers) openNumberSecrets(vault, number);
  const webhook = await findWebhookSecrets(db, tenantId);
  if (webhook) createSecretOpener(vault)(webhook);
  const stores = await listStores(db, tenantId);
  for (const store of stores) openKeys(vault, store);
  return numbers.length + (webhook ? 1 : 0) + stores.length;
}
