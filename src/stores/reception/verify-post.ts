import { isSameSecret } from '../../platform/secrets/crypto.ts';
import { header, type Post, sentSignatureOf, sign } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import type { StoreAuthentication } from '../schema.ts';
import type { StoreKeys } from '../setup/store-keys.ts';

/**
 * Returns why a post is not from the store, or undefined if it is. If both a secret and an authentication are set,
 * both must be valid. Every refusal costs two HMACs over the body, so that its time does not reveal its reason.
 */
export function refusalOf(store: StoreKeys, post: Post): string | undefined {
  const platform = platforms[store.platform];
  const sent = sentSignatureOf(platform, post);
  const isSignedWith = (secret = '') =>
    isSameSecret(sent ?? '', sign(platform, secret, post.body)) && secret !== '';
  const isSigned = isSignedWith(store.secret) || isSignedWith(store.previousSecret);
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
  const isValid = isSameSecret(given, `${expected.username}:${expected.password}`);
  return isValid && scheme?.toLowerCase() === 'basic';
}
