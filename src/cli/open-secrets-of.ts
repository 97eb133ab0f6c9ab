import { openNumberSecrets } from '../numbers/find-number.ts';
import { listNumbers } from '../numbers/queries.ts';
import type { Services } from '../services.ts';
import { listStores } from '../stores/queries.ts';
import { openKeys } from '../stores/setup/store-keys.ts';
import { listTenants } from '../tenants/queries.ts';
import { findWebhookSecrets } from '../webhooks/queries.ts';
import { createSecretOpener } from '../webhooks/secrets/open-secrets.ts';

/** The tenants that a start checks: enough to find a wrong key, and quick if there are many. */
const maxTenants = 20;

/** Whether the master key decrypts the secrets of the first tenant that has some. */
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
 * Keeps a service, or a command that needs the secrets, from starting with a wrong master key. A service would look fine
 * until something is sent, and secrets that are encrypted meanwhile could not be read with the right one.
 *
 * @throws Error that says what to do
 */
export async function refuseOtherKey(services: Services): Promise<void> {
  if (services.config.masterKeyLost || (await isKeyOfDatabase(services))) return;
  throw new Error(
    'The master key does not decrypt the secrets in the database. Restore that key: PARLEY_MASTER_KEY, or `master-key` in the data folder. If it is lost, set PARLEY_MASTER_KEY_LOST=yes to start without these secrets; see docs/operating.md.',
  );
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
  // Those of disconnected numbers were deleted.
  const opened = numbers.flatMap((number) => openNumberSecrets(vault, number) ?? []);
  const webhooks = await findWebhookSecrets(db, tenantId);
  const openWebhook = createSecretOpener(vault);
  for (const webhook of webhooks) openWebhook(webhook);
  const stores = await listStores(db, tenantId);
  for (const store of stores) openKeys(vault, store);
  return opened.length + webhooks.length + stores.length;
}
