import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Vault } from '../../platform/crypto.ts';

/** The cost and the format of better-auth: hashes that it made before are verified here too. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 64;
const deriveKey = promisify<string, string, number, typeof cost, Buffer>(scrypt);

/** What is known of the password while better-auth does its part. */
const known = new AsyncLocalStorage<{
  salt?: string;
  verified?: { hash: string; password: string };
}>();

/**
 * All accounts of an email have the same salt, so that one computation tries a password on all of
 * them: a sign-in takes equally long whether an email has none, one or several accounts. Nobody can
 * compute the salt without the master key.
 */
export function createSalts(vault: Vault): (email: string) => string {
  const key = vault.derive('password salts');
  return (email) => createHmac('sha256', key).update(email).digest('hex').slice(0, 32);
}

/** @returns `salt:key`, both in hexadecimal */
export async function hashPassword(password: string, salt: string): Promise<string> {
  const key = await deriveKey(password.normalize('NFKC'), salt, keyBytes, cost);
  return `${salt}:${key.toString('hex')}`;
}

/** The two functions that better-auth calls. It does not say whose password it hashes. */
export const passwordFunctions = {
  hash: (password: string) =>
    hashPassword(password, known.getStore()?.salt ?? randomBytes(16).toString('hex')),
  verify: async ({ hash, password }: { hash: string; password: string }) => {
    const { verified } = known.getStore() ?? {};
    if (verified?.hash === hash && verified.password === password) return true;
    const isOf = await tryPassword(password, [saltOf(hash)]);
    return isOf(hash);
  },
};

/** Makes better-auth hash passwords with `salt` while `work` runs. */
export function withSalt<Result>(salt: string, work: () => Promise<Result>): Promise<Result> {
  return known.run({ salt }, work);
}

/** Spares better-auth the computation for a password that was found to be of `hash` already. */
export function withVerified<Result>(
  verified: { hash: string; password: string },
  work: () => Promise<Result>,
): Promise<Result> {
  return known.run({ verified }, work);
}

export function saltOf(hash: string): string {
  return hash.slice(0, hash.indexOf(':'));
}

/**
 * Computes the hashes of a password for some salts.
 *
 * @returns tells whether a stored hash with one of these salts is of this password
 */
export async function tryPassword(
  password: string,
  salts: Iterable<string>,
): Promise<(hash: string | null) => boolean> {
  const hashes = await Promise.all([...new Set(salts)].map((salt) => hashPassword(password, salt)));
  return (hash) => hash !== null && hashes.some((computed) => isEqual(computed, hash));
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
