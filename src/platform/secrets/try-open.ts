import type { Vault } from './crypto.ts';

/** Decrypts a secret; undefined if it was encrypted with another master key, which may be lost. */
export function tryOpen(vault: Vault, sealed: Buffer, context: string): string | undefined {
  try {
    return vault.open(sealed, context);
  } catch {
    return undefined;
  }
}
