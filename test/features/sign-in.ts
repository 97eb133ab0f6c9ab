import { createHmac } from 'node:crypto';
import { call, type TestApp, type TestResponse, type TestTenant } from '../program/app.ts';
import { insertMember, insertSession } from './insert-member.ts';

/** The origin of an injected request, which a browser sends automatically. */
export const sameOrigin = { origin: 'https://localhost:80', 'sec-fetch-site': 'same-origin' };

export type TestMember = {
  userId: string;
  email: string;
  password: string;
  cookie: string;
  /** Makes a call of the dashboard as this person. The path starts after `/dashboard-api/{tenant}`. */
  call(method: string, path: string, body?: unknown, tenant?: string): Promise<TestResponse>;
};

const password = 'correct horse battery';
let memberCount = 0;

/** Creates a member of the tenant who has a password and is signed in, as if by the sign-in page. */
export async function signIn(
  app: TestApp,
  tenant: TestTenant,
  role: 'owner' | 'staff' = 'owner',
  name?: string,
): Promise<TestMember> {
  const email = `person-${++memberCount}@example.com`;
  const person = { email, name: name ?? `person-${memberCount}`, password };
  const userId = await insertMember(app.db, tenant.id, role, person);
  const cookie = await insertSession(app.services, userId);
  return {
    userId,
    email,
    password,
    cookie,
    call: (method, path, body, slug = tenant.slug) =>
      call(app, method, `/dashboard-api/${slug}${path}`, body, { ...sameOrigin, cookie }),
  };
}

/** Signs in with the routes of the sign-in page. */
export async function openSession(app: TestApp, email: string, password: string): Promise<string> {
  return cookieOf(await post(app, '/auth/sign-in/email', { email, password }));
}

export function post(
  app: TestApp,
  path: string,
  body: unknown,
  cookie?: string,
): Promise<TestResponse> {
  return call(app, 'POST', path, body, { ...sameOrigin, ...(cookie ? { cookie } : {}) });
}

/** Returns the cookies that a response sets, in the form of a request header. */
export function cookieOf(response: TestResponse): string {
  return [response.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ');
}

/** Computes the six digits that an authenticator app shows now (RFC 6238). */
export function totp(uri: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
