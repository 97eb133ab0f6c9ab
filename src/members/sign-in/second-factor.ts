import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Vault } from '../../platform/secrets/crypto.ts';

/** The purpose of the key with which better-auth encrypts second factors and signs cookies. */
export const authKeyPurpose = 'dashboard sessions';

/** Decrypts the secret, or the backup codes, of a second factor. */
export function openSecondFactor(vault: Vault, sealed: string): Promise<string> {
  return symmetricDecrypt({ key: vault.derive(authKeyPurpose), data: sealed });
}

export function sealSecondFactor(vault: Vault, plain: string): Promise<string> {
  return symmetricEncrypt({ key: vault.derive(authKeyPurpose), data: plain });
}
