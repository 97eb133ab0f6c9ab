import { isSameSecret } from '../../platform/crypto.ts';
import { header, type Post, sign } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import type { StoreAuthentication } from '../schema.ts';
import type { StoreKeys } from '../store-keys.ts';

/**
 * Why a post is not from the store, or undefined when it is. Signature and authentication must
 * both be right where both are set. Every post costs one HMAC over its body, whatever is wrong
 * with it, so that the time of a refusal tells nothing.
 */
export function refusalOf(store: StoreKeys, post: Post): string | undefined {
  const platform = platforms[store.platform];
  const sent = platform.signature(post.headers);
  const isSigned = isSameSecret(sent ?? '', sign(platform, store.secret ?? '', post.body));
  const isAuthentic = isAuthenticated(store.authentication, post);

  if (store.secret === undefined && !store.authentication) {
    return 'neither a secret nor an authentication is set';
  }
  if (store.secret !== undefined && sent === undefined) return 'the signature is missing';
  if (store.secret !== undefined && !isSigned) return 'the signature is wrong';
  if (!isAuthentic) return 'the authentication is missing or wrong';
  return undefined;
}

function isAuthenticated(expected: StoreAuthentication | undefined, { headers }: Post): boolean {
  if (!expected) return true;
  if (expected.type === 'header') {
    return isSameSecret(header(headers, expected.name.toLowerCase()) ?? '', expected.value);
  }
  const [scheme, credentials] = (header(headers, 'authorization') ?? '').split(/ +/, 2);
  const given = Buffer.from(credentials ?? '', 'base64').toString('utf8');
  const right = isSameSecret(given, `${expected.username}:${expected.password}`);
  return right && scheme?.toLowerCase() === 'basic';
}
