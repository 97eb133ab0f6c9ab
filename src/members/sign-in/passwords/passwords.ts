import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Vault } from '../../../platform/secrets/crypto.ts';

/**
 * The cost of better-auth, whose existing hashes are verified here too. Tests of the sign-in lower it for a while,
 * because each hash takes a tenth of a second of CPU.
 */
export const passwordCost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 64;
const deriveKey = promisify<string, string, number, typeof passwordCost, Buffer>(scrypt);

/** Passes a salt or an already verified password to the functions that better-auth calls. */
const known = new AsyncLocalStorage<{
  salt?: string;
  verified?: { hash: string; password: string };
}>();

/**
 * Creates a function that derives the salt of an email. All accounts with the email share it, so
 * that one computation checks a password against all of them, and a sign-in takes the same time for
 * none, one or several accounts. The salt cannot be computed without the master key.
 */
export function createSalts(vault: Vault): (email: string) => string {
  const key = vault.derive('password salts');
  return (email) => createHmac('sha256', key).update(email).digest('hex').slice(0, 32);
}

/**
 * Hashes a password.
 *
 * @returns `salt:key`, both in hexadecimal
 */
export async function hashPassword(password: string, salt: string): Promise<string> {
  const key = await deriveKey(password.normalize('NFKC'), salt, keyBytes, passwordCost);
  return `${salt}:${key.toString('hex')}`;
}

/** The two functions that better-auth calls, without saying whose password it hashes. */
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

/** Saves better-auth the computation for a password that is already verified against `hash`. */
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
 * @returns whether a stored hash with one of these salts belongs to this password
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
