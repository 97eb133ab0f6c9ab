import { createHmac, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { addMember } from '../../src/members/queries.ts';
import { insertUser, setPassword } from '../../src/members/sign-in/account-queries.ts';
import { hashPassword, passwordCost } from '../../src/members/sign-in/passwords.ts';
import { call, type TestApp, type TestResponse, type TestTenant } from '../program/app.ts';

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
/** By their cost. Computed once in a process, because it takes a tenth of a second of CPU by design. */
const passwordHashes = new Map<number, Promise<string>>();
let memberCount = 0;

/** Creates a member of the tenant who has a password and is signed in, as if by the sign-in page. */
export async function signIn(
  app: TestApp,
  tenant: TestTenant,
  role: 'owner' | 'staff' = 'owner',
  name?: string,
): Promise<TestMember> {
  const email = `person-${++memberCount}@example.com`;
  const person = { email, name: name ?? `person-${memberCount}` };
  const userId = await insertMember(app, tenant, role, person);
  const cookie = await insertSession(app, userId);
  return {
    userId,
    email,
    password,
    cookie,
    call: (method, path, body, slug = tenant.slug) =>
      call(app, method, `/dashboard-api/${slug}${path}`, body, { ...sameOrigin, cookie }),
  };
}

async function insertMember(
  { db }: TestApp,
  tenant: TestTenant,
  role: 'owner' | 'staff',
  person: { email: string; name: string },
): Promise<string> {
  const { N } = passwordCost;
  const hash = await (passwordHashes.get(N) ?? hashPassword(password, randomId()));
  passwordHashes.set(N, Promise.resolve(hash));
  const id = randomId();
  await db.transaction(async (tx) => {
    await insertUser(tx, { id, ...person });
    await setPassword(tx, id, { id: randomId(), hash });
    await addMember(tx, tenant.id, id, role);
  });
  return id;
}

/** @returns the cookie of a new session, signed as better-auth signs it. Its token is stored as a hash */
async function insertSession({ db, services }: TestApp, userId: string): Promise<string> {
  const token = randomId();
  await db.query(sql`
    insert into auth."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values (${randomId()}, encode(sha256(${token}::bytea), 'hex'), ${userId}, now() + interval '30 days', now())`);
  const secret = services.vault.derive('dashboard sessions');
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `__Secure-parley.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

function randomId(): string {
  return randomBytes(16).toString('hex');
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
