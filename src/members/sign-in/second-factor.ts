import type { Vault } from '../../platform/secrets/crypto.ts';

/** The purpose of the key with which better-auth encrypts second factors and signs cookies. */
export const authKeyPurpose = 'dashboard sessions';

/** Decrypts the secret, or the backup codes, of a second factor. */
export async function openSecondFactor(vault: Vault, sealed: string): Promise<string> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  return symmetricDecrypt({ key: vault.derive(authKeyPurpose), data: sealed });
}

export async function sealSecondFactor(vault: Vault, plain: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  return symmetricEncrypt({ key: vault.derive(authKeyPurpose), data: plain });
}
