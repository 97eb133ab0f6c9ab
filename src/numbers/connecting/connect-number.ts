import { recordAudit } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import { type FieldErrors, invalid, noRoom } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { randomBase62, type Vault } from '../../platform/secrets/crypto.ts';
import { newAddressId } from '../../platform/values/cell.ts';
import { requestTemplateSync } from '../../templates/syncing/request-template-sync.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { keepDefaultNumber } from '../default-number.ts';
import { secretContext } from '../find-number.ts';
import { listNumbers, type NumberRow } from '../queries.ts';
import { subjectOf } from '../record-number.ts';
import { forgetUnconnected } from '../state/unconnected-numbers.ts';
import { upsertNumber } from './connecting-queries.ts';

/**
 * Limited because each can have an account of its own, whose templates are fetched one after the
 * other.
 */
const maxNumbers = 100;
const notAnId = fault('not_an_id', 'must be an id: digits only, without spaces');

/** A number that has just been connected, and the default that it took over from. */
export type ConnectedRow = NumberRow & { replaced: NumberRow | undefined };

/**
 * Connects a WhatsApp number to a tenant, or replaces the secrets of a connected one, whose
 * callback URL stays the same. A real number takes over from a simulated default.
 *
 * @throws ApiError 422 on values that are not valid
 */
export async function connectNumber(
  { db, vault, config }: { db: Database; vault: Vault; config: Pick<Config, 'cell'> },
  tenantId: number,
  number: {
    phoneNumberId: string;
    businessAccountId: string;
    displayPhoneNumber?: string;
    accessToken: string;
    appSecret: string;
    simulator?: boolean;
    callbackId?: string;
    verifyToken?: string;
  },
): Promise<ConnectedRow> {
  const errors: FieldErrors = {};
  if (!/^\d{1,64}$/.test(number.phoneNumberId)) errors.phone_number_id = [notAnId];
  if (!/^\d{1,64}$/.test(number.businessAccountId)) errors.business_account_id = [notAnId];
  if (!/^[\x21-\x7e]{1,1024}$/.test(number.accessToken))
    errors.access_token = [fault('not_a_token', 'is not a token')];
  if (!/^[\x21-\x7e]{1,256}$/.test(number.appSecret))
    errors.app_secret = [fault('not_a_secret', 'is not a secret')];
  if (Object.keys(errors).length > 0) throw invalid(errors);

  const row = {
    phoneNumberId: number.phoneNumberId,
    businessAccountId: number.businessAccountId,
    displayPhoneNumber: number.displayPhoneNumber ?? null,
    accessToken: vault.seal(number.accessToken, secretContext(tenantId, 'access-token')),
    appSecret: vault.seal(number.appSecret, secretContext(tenantId, 'app-secret')),
    callbackId: number.callbackId ?? newAddressId(config.cell),
    verifyToken: number.verifyToken ?? randomBase62(32),
    simulator: number.simulator ?? false,
  };
  const connected = await withTenantLock(db, tenantId, async (tx) => {
    const before = await listNumbers(tx, tenantId);
    const upserted = await upsertNumber(tx, tenantId, row, maxNumbers);
    if (!upserted) throw noRoom('phone_number_id', maxNumbers, 'numbers');
    await forgetUnconnected(tx, tenantId, row.phoneNumberId);
    const isNew = before.every(({ id }) => id !== upserted.id);
    const chosen = await keepDefaultNumber(tx, tenantId, isNew ? upserted : undefined);
    const isDefault = chosen?.id === upserted.id;
    await recordAudit(tx, tenantId, {
      action: 'number.connected',
      subject: subjectOf(upserted),
      changes: [
        { field: 'phone_number_id', after: upserted.phone_number_id },
        { field: 'business_account_id', after: upserted.business_account_id },
      ],
    });
    const replaced = before.find(({ id, is_default }) => is_default && id !== upserted.id);
    return {
      ...upserted,
      is_default: isDefault,
      replaced: isDefault ? replaced : undefined,
    };
  });
  await requestTemplateSync(db, tenantId);
  return connected;
}
