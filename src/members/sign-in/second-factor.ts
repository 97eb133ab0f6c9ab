import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';

/** The purpose of the key with which better-auth encrypts second factors and signs cookies. */
export const authKeyPurpose = 'dashboard sessions';

/** The encrypted values of a second factor. */
export type SecondFactor = { id: string; secret: string; backupCodes: string };

/** Decrypts the secret, or the backup codes, of a second factor. Throws as `Vault.open` does. */
export async function openSecondFactor(vault: Vault, sealed: string): Promise<string> {
  for (const key of vault.deriveAll(authKeyPurpose)) {
    const plain = await openWith(key, sealed);
    if (plain !== undefined) return plain;
  }
  throw new Error('A second factor was encrypted with another master key.');
}

export async function sealSecondFactor(vault: Vault, plain: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  return symmetricEncrypt({ key: vault.derive(authKeyPurpose), data: plain });
}

/**
 * Encrypts a second factor with the first master key, unless it is.
 *
 * @returns the new values; undefined if it was encrypted with the first key. Throws as `Vault.open` does
 */
export async function resealSecondFactor<Factor extends SecondFactor>(
  vault: Vault,
  factor: Factor,
): Promise<Factor | undefined> {
  const key = vault.derive(authKeyPurpose);
  const opened = await Promise.all([
    openWith(key, factor.secret),
    openWith(key, factor.backupCodes),
  ]);
  if (!opened.includes(undefined)) return undefined;
  const reseal = async (sealed: string) =>
    sealSecondFactor(vault, await openSecondFactor(vault, sealed));
  return {
    ...factor,
    secret: await reseal(factor.secret),
    backupCodes: await reseal(factor.backupCodes),
  };
}

/** Stores a second factor that was encrypted again, unless it has changed since. */
export async function replaceSecondFactor(
  db: Db,
  { id, secret, backupCodes }: SecondFactor,
  by: SecondFactor,
): Promise<void> {
  await db.query(sql`
    update auth."twoFactor" set "secret" = ${by.secret}, "backupCodes" = ${by.backupCodes}
    where "id" = ${id} and "secret" = ${secret} and "backupCodes" = ${backupCodes}`);
}

async function openWith(key: string, sealed: string): Promise<string | undefined> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  return symmetricDecrypt({ key, data: sealed }).catch(() => undefined);
}
