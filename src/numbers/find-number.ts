import { createLookupCache } from '../platform/concurrency/ttl-cache.ts';
import type { Database } from '../platform/database/database.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import type { CallbackKeys } from '../whatsapp/callbacks/callback-routes.ts';
import type { SendingNumber } from '../whatsapp/client.ts';
import { withDefault } from './default-number.ts';
import {
  findHearings,
  findNumberByCallback,
  hearingOf,
  listNumbers,
  type NumberRow,
} from './queries.ts';
import type { Hearing } from './state/record-heard.ts';

/**
 * A connected number with its decrypted secrets, for sends and for the verification of callbacks.
 */
export type ConnectedNumber = SendingNumber &
  CallbackKeys &
  Hearing & {
    /** The random end of its callback URL. */
    callbackId: string;
    /** Whether the network reported anything in the last day. */
    isHeard: boolean;
    businessAccountId: string;
    displayPhoneNumber: string | null;
    simulator: boolean;
    /** The last problem that kept it from sending; null if there is none. */
    problem: string | null;
  };

export type NumberFinder = ReturnType<typeof createNumberFinder>;

/**
 * Creates a finder for numbers. The lookups of the hot paths are cached for less than a second.
 *
 * @param networkUrl the network of real numbers
 * @param simulatorUrl the network of simulated numbers; if undefined, they are not found
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
  const cached = createLookupCache<ConnectedNumber | undefined>();
  const cachedSenders = createLookupCache<ConnectedNumber[]>();

  function open(row: NumberRow | undefined): ConnectedNumber | undefined {
    const url = row?.simulator ? simulatorUrl : networkUrl;
    const secrets = row && openNumberSecrets(vault, row);
    if (url === undefined || !secrets) return undefined;
    return {
      tenantId: row.tenant_id,
      ...hearingOf(row),
      isHeard: row.heard_today,
      callbackId: row.callback_id,
      phoneNumberId: row.phone_number_id,
      businessAccountId: row.business_account_id,
      displayPhoneNumber: row.display_phone_number,
      simulator: row.simulator,
      messagesPerSecond: row.messages_per_second,
      marketingEndpoint: row.marketing_endpoint,
      networkUrl: url,
      ...secrets,
      verifyToken: row.verify_token,
      problem: row.problem,
    };
  }

  /** Lists the numbers from which a tenant can send, its default number first. */
  function senders(tenantId: number): Promise<ConnectedNumber[]> {
    return cachedSenders(String(tenantId), async () => {
      const rows = (await listNumbers(db, tenantId)).filter(
        (row) => simulatorUrl !== undefined || !row.simulator,
      );
      return withDefault(rows)
        .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
        .flatMap((row) => open(row) ?? []);
    });
  }

  return {
    open,
    senders,
    /** Finds the default number of a tenant; undefined if none is connected. */
    defaultNumber: async (tenantId: number) => (await senders(tenantId))[0],
    /** Finds the number whose callback URL ends in `callbackId`. */
    byCallback: (callbackId: string) =>
      cached(`callback ${callbackId}`, async () =>
        open(await findNumberByCallback(db, callbackId)),
      ),
    /** Lists the connected numbers of the tenant, without the cache. */
    connected: async (tenantId: number) =>
      (await listNumbers(db, tenantId)).flatMap((row) => open(row) ?? []),
    /** Finds the tenant's numbers by the network's ids, without other tenants' numbers. */
    hearings: (tenantId: number, phoneNumberIds: string[]) =>
      findHearings(db, tenantId, phoneNumberIds),
  };
}

/**
 * Decrypts the secrets of a number; undefined if it is disconnected.
 *
 * @throws Error if they were sealed with another master key
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

/**
 * The context in which a number's secret is sealed, so that it cannot be moved to another tenant's
 * row.
 */
export function secretContext(tenantId: number, kind: 'access-token' | 'app-secret'): string {
  return `tenant ${tenantId} ${kind}`;
}
