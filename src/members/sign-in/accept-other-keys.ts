import { createHmac } from 'node:crypto';
import type { BetterAuthPlugin, Where } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import type { Db } from '../../platform/database/database.ts';
import { isSameSecret, type Vault } from '../../platform/secrets/crypto.ts';
import {
  authKeyPurpose,
  replaceSecondFactor,
  resealSecondFactor,
  type SecondFactor,
} from './second-factor.ts';

type Query = { model: string; where: Where[] };

/**
 * Creates a plugin with which better-auth, which knows one key, accepts what another master key has signed or
 * encrypted: cookies are signed again when they arrive, and second factors are encrypted again when they are read. So
 * people stay signed in while the master key is changed.
 */
export function acceptOtherKeys({ db, vault }: { db: Db; vault: Vault }): BetterAuthPlugin {
  const id = 'accept-other-keys';
  if (vault.keyCount === 1) return { id };
  const keys = vault.deriveAll(authKeyPurpose);
  return {
    id,
    hooks: {
      before: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ request, headers: direct }) => {
            const given = request?.headers ?? direct;
            const cookies = given?.get('cookie');
            if (!cookies) return;
            const headers = new Headers(given);
            headers.set('cookie', cookies.split('; ').map(signAgain).join('; '));
            return { context: { headers } };
          }),
        },
      ],
    },
    init: ({ adapter }) => ({
      context: {
        adapter: {
          ...adapter,
          findOne: (async (given: Query) => {
            if (given.model !== 'twoFactor') return adapter.findOne(given);
            const factor = await adapter.findOne<SecondFactor>(given);
            return factor && encryptAgain(factor);
          }) as typeof adapter.findOne,
        },
      },
    }),
  };

  /** Signs a cookie (`name=content.signature`) with the first key, if another one has signed it. */
  function signAgain(cookie: string): string {
    const start = cookie.indexOf('=') + 1;
    const value = decode(cookie.slice(start));
    const end = value.lastIndexOf('.');
    const [content, signature] = [value.slice(0, end), value.slice(end + 1)];
    const [first, ...others] = keys.map((key) =>
      createHmac('sha256', key).update(content).digest('base64'),
    );
    if (!others.some((each) => isSameSecret(signature, each))) return cookie;
    return `${cookie.slice(0, start)}${encodeURIComponent(`${content}.${first}`)}`;
  }

  async function encryptAgain(factor: SecondFactor): Promise<SecondFactor> {
    const resealed = await resealSecondFactor(vault, factor);
    if (!resealed) return factor;
    // better-auth compares the values that it has read with those of the row.
    await replaceSecondFactor(db, factor, resealed);
    return resealed;
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
