import type { Vault } from '../platform/crypto.ts';
import type { Database } from '../platform/database/database.ts';
import { createTtlCache } from '../platform/ttl-cache.ts';
import type { CallbackKeys } from '../whatsapp/callback-routes.ts';
import type { Credentials, LimitedNumber } from '../whatsapp/client.ts';
import {
  findNumberByCallback,
  findNumberIds,
  findSendingNumber,
  listNumbers,
  type NumberRow,
} from './queries.ts';

/** A connected number with its secrets opened, ready to send and to check callbacks. */
export type ConnectedNumber = Credentials &
  LimitedNumber &
  CallbackKeys & {
    id: number;
    businessAccountId: string;
    displayPhoneNumber: string | null;
    /** Why it could not send when it was last told; null when nothing is known against it. */
    problem: string | null;
  };

export type NumberFinder = ReturnType<typeof createNumberFinder>;

/**
 * Finds numbers on the hot paths; what was found stays known for less than a second.
 *
 * @param networkUrl where real numbers are
 * @param simulatorUrl where simulated numbers are; when undefined, they are not found
 */
export function createNumberFinder({
  db,
  vault,
  networkUrl,
  simulatorUrl,
}: {
  db: Database;
  vault: Vault;
  networkUrl: string;
  simulatorUrl: string | undefined;
}) {
  const cached = createTtlCache<ConnectedNumber | undefined>();
  const withSimulated = simulatorUrl !== undefined;

  function open(row: NumberRow | undefined): ConnectedNumber | undefined {
    const url = row?.simulator ? simulatorUrl : networkUrl;
    const secrets = row && openNumberSecrets(vault, row);
    if (url === undefined || !secrets) return undefined;
    return {
      tenantId: row.tenant_id,
      id: row.id,
      phoneNumberId: row.phone_number_id,
      businessAccountId: row.business_account_id,
      displayPhoneNumber: row.display_phone_number,
      messagesPerSecond: row.messages_per_second,
      networkUrl: url,
      ...secrets,
      verifyToken: row.verify_token,
      problem: row.problem,
    };
  }

  return {
    open,
    /** The number a tenant sends from, or undefined when none is connected. */
    sendingNumber: (tenantId: number) =>
      cached(`tenant ${tenantId}`, async () =>
        open(await findSendingNumber(db, tenantId, withSimulated)),
      ),
    /** The number whose callback address ends in `callbackId`. */
    byCallback: (callbackId: string) =>
      cached(`callback ${callbackId}`, async () =>
        open(await findNumberByCallback(db, callbackId)),
      ),
    /** Every connected number of the tenant, as it is at this moment. */
    connected: async (tenantId: number) =>
      (await listNumbers(db, tenantId)).flatMap((row) => open(row) ?? []),
    /** Our ids of the tenant's own among these network ids; another tenant's are left out. */
    ownIds: (tenantId: number, phoneNumberIds: string[]) =>
      findNumberIds(db, tenantId, phoneNumberIds),
  };
}

/**
 * Opens the secrets of a number; undefined if it is disconnected.
 *
 * @throws Error when they were sealed under another master key
 */
export function openNumberSecrets(
  vault: Vault,
  { tenant_id, access_token, app_secret }: NumberRow,
): { accessToken: string; appSecret: string } | undefined {
  if (!access_token || !app_secret) return undefined;
  return {
    accessToken: vault.open(access_token, secretContext(tenant_id, 'access-token')),
    appSecret: vault.open(app_secret, secretContext(tenant_id, 'app-secret')),
  };
}

/** What a number's secret is sealed for, so that it cannot be moved to another tenant's row. */
export function secretContext(tenantId: number, kind: 'access-token' | 'app-secret'): string {
  return `tenant ${tenantId} ${kind}`;
}
