import { openNumberSecrets } from '../numbers/find-number.ts';
import { listNumbers } from '../numbers/queries.ts';
import type { Services } from '../services.ts';
import { listStores } from '../stores/queries.ts';
import { openKeys } from '../stores/store-keys.ts';
import { listTenants } from '../tenants/queries.ts';
import { findWebhookSecrets } from '../webhooks/queries.ts';
import { createSecretOpener } from '../webhooks/secrets/open-secrets.ts';

/** The tenants that a start checks: enough to find a wrong key, and quick if there are many. */
const maxTenants = 20;

/**
 * Whether the master key decrypts the secrets of the first tenant that has some. With a wrong key everything
 * looks fine until something is sent, and secrets that are encrypted meanwhile cannot be read with the right
 * one.
 */
export async function isKeyOfDatabase(services: Services): Promise<boolean> {
  try {
    for (const tenant of (await listTenants(services.db)).slice(0, maxTenants)) {
      if ((await openSecretsOf(services, tenant.id)) > 0) break;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Decrypts every secret of a tenant, since it may be the only tenant with any.
 *
 * @returns how many numbers, webhooks and stores have secrets
 * @throws Error if a secret was encrypted with another key
 */
export async function openSecretsOf(services: Services, tenantId: number): Promise<number> {
  const { db, vault } = services;
  const numbers = await listNumbers(db, tenantId);
  for (const number of numbers) openNumberSecrets(vault, number);
  const webhooks = await findWebhookSecrets(db, tenantId);
  const openWebhook = createSecretOpener(vault);
  for (const webhook of webhooks) openWebhook(webhook);
  const stores = await listStores(db, tenantId);
  for (const store of stores) openKeys(vault, store);
  return numbers.length + webhooks.length + stores.length;
}
