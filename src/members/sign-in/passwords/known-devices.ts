import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameSecret, randomBase62, type Vault } from '../../../platform/secrets/crypto.ts';

const cookieName = '__Secure-parley.known_device';
/** The longest time for which browsers keep a cookie. */
const maxAgeSeconds = 400 * 86_400;
/** Several people may share a browser. */
const maxAccounts = 5;

/** A browser in which these accounts have signed in. */
export type KnownDevice = { id: string; accounts: string[] };

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * Recognises browsers by a signed cookie, so that strangers who guess the password of an account
 * cannot lock out its owner. The cookie does not sign anybody in. It survives signing out and
 * password changes, but not the end of the master key that it was signed with.
 */
export function createKnownDevices(vault: Vault) {
  const keys = vault.deriveAll('known devices');

  /** The signatures with each master key. The first is that of new cookies. */
  function sign(content: string): string[] {
    return keys.map((key) => createHmac('sha256', key).update(content).digest('base64url'));
  }

  /** Reads the cookie; undefined if it is missing or its signature is not valid. */
  function read({ headers }: FastifyRequest): KnownDevice | undefined {
    const cookies = headers.cookie?.split(';').map((each) => each.trim()) ?? [];
    const value = cookies.find((each) => each.startsWith(`${cookieName}=`));
    if (value === undefined) return undefined;
    const parts = value.slice(cookieName.length + 1).split('.');
    const given = parts.pop() ?? '';
    if (!sign(parts.join('.')).some((each) => isSameSecret(given, each))) return undefined;
    const [id = '', ...accounts] = parts;
    return { id, accounts };
  }

  /** Sets the cookie that makes the browser a known device of the account. */
  function remember(request: FastifyRequest, reply: FastifyReply, accountId: string): void {
    const known = read(request);
    const others = (known?.accounts ?? []).filter((each) => each !== accountId);
    const accounts = [accountId, ...others].slice(0, maxAccounts);
    const content = [known?.id ?? randomBase62(22), ...accounts].join('.');
    reply.header(
      'set-cookie',
      `${cookieName}=${content}.${sign(content)[0]}; Max-Age=${maxAgeSeconds}; Path=/auth; HttpOnly; Secure; SameSite=Strict`,
    );
  }

  return { read, remember };
}
