import { inviteMember } from '../src/members/invite-member.ts';
import { type Answer, call, type TestApp, type TestTenant } from './app.ts';

/** The origin of an injected request; a browser sends it by itself. */
export const sameOrigin = { origin: 'https://localhost:80', 'sec-fetch-site': 'same-origin' };

export type TestMember = {
  email: string;
  password: string;
  cookie: string;
  /** A call of the dashboard as this person; the path starts after `/dashboard-api/{tenant}`. */
  call(method: string, path: string, body?: unknown, tenant?: string): Promise<Answer>;
};

const password = 'correct horse battery';
let memberCount = 0;

/** Makes a member of the tenant by the link that the command prints, signed in. */
export async function signIn(
  app: TestApp,
  tenant: TestTenant,
  role: 'owner' | 'staff' = 'owner',
  name?: string,
): Promise<TestMember> {
  const email = `person-${++memberCount}@example.com`;
  const { url } = await inviteMember(app.services, tenant.id, { email, role, byOperator: true });
  const secret = new URL(url).hash.slice(1);
  await post(app, '/auth/invitation/accept', { secret, password, name });
  const cookie = await openSession(app, email, password);
  return {
    email,
    password,
    cookie,
    call: (method, path, body, slug = tenant.slug) =>
      call(app, method, `/dashboard-api/${slug}${path}`, body, { ...sameOrigin, cookie }),
  };
}

export async function openSession(app: TestApp, email: string, password: string): Promise<string> {
  return cookieOf(await post(app, '/auth/sign-in/email', { email, password }));
}

export function post(app: TestApp, path: string, body: unknown, cookie?: string): Promise<Answer> {
  return call(app, 'POST', path, body, { ...sameOrigin, ...(cookie ? { cookie } : {}) });
}

/** The cookies that an answer sets, as a request sends them back. */
export function cookieOf(answer: Answer): string {
  return [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ');
}
