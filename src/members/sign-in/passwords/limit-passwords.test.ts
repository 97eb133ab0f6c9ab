import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cheapPasswords } from '../../../../test/features/cheap-passwords.ts';
import { cookieOf, post, sameOrigin, signIn } from '../../../../test/features/sign-in.ts';
import { call, type TestResponse, testApp } from '../../../../test/program/app.ts';
import { buildApp } from '../../../app.ts';
import { createVault } from '../../../platform/secrets/crypto.ts';
import { inviteMember } from '../../invite-member.ts';
import { createKnownDevices } from './known-devices.ts';
import { createPasswordLimit, type PasswordLimit } from './limit-passwords.ts';

cheapPasswords();
const app = testApp();
let limit: PasswordLimit;

beforeAll(() => {
  limit = createPasswordLimit(app);
});

/** Counts attempts without checking passwords, which is slow by design. */
async function countAttempts(times: number, email: string, address: string) {
  for (let count = 0; count < times; count++) await limit.countSignIn(email, address);
}

/** Uses up the attempts of strangers on an account. */
async function attack(email: string): Promise<void> {
  for (let from = 0; from < 200; from++) await limit.countSignIn(email, `198.51.100.${from}`);
}

async function signInFrom(
  remoteAddress: string,
  payload: { email: string; password: string },
  cookie?: string,
): Promise<Pick<TestResponse, 'status' | 'headers' | 'body'>> {
  const response = await app.app.inject({
    method: 'POST',
    url: '/auth/sign-in/email',
    headers: { ...sameOrigin, ...(cookie ? { cookie } : {}) },
    payload,
    remoteAddress,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

/** Finds the known-device cookie among those that a response sets. */
function deviceCookieOf(response: Pick<TestResponse, 'headers'>): string {
  const cookies = cookieOf(response as TestResponse).split('; ');
  return cookies.find((each) => each.startsWith('__Secure-parley.known_device=')) ?? '';
}

test('a guess counts for the signed-in account, whatever email the body has', async () => {
  const shop = await app.tenant();
  const [owner, other] = [await signIn(app, shop), await signIn(app, shop)];
  const guess = (password: string, email: string) =>
    post(app, '/auth/two-factor/enable', { email, password }, owner.cookie);
  const statuses = [];
  for (let count = 0; count < 11; count++) {
    statuses.push((await guess('not this one', `nobody-${count}@example.com`)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(422), 429]);

  const right = { currentPassword: owner.password, newPassword: owner.password };
  const change = (cookie: string) => post(app, '/auth/change-password', right, cookie);
  expect((await change(other.cookie)).status).toBe(200);
  expect((await change(owner.cookie)).status).toBe(429);
  for (const action of ['enable', 'disable', 'generate-backup-codes']) {
    const body = { email: other.email, password: owner.password };
    const response = await post(app, `/auth/two-factor/${action}`, body, owner.cookie);
    expect(response.status, action).toBe(429);
  }
  await app.moveClock(16 * 60_000);
  expect((await change(owner.cookie)).status).toBe(200);
  await app.setClock(0);
});

test.each([
  ['the connection', [], (count: number) => `203.0.113.${count}`],
  ['the trusted proxy', ['127.0.0.1'], (count: number) => `203.0.113.${count}, 198.51.100.7`],
])(
  'guesses count for the address of %s, whatever the client claims',
  async (_, trustedProxies, forwarded) => {
    const config = { ...app.services.config, trustedProxies };
    const service = { ...app, app: await buildApp({ ...app.services, config }) };
    onTestFinished(() => service.app.close());
    const { email } = await signIn(app, await app.tenant());
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      const headers = {
        ...sameOrigin,
        'x-forwarded-for': forwarded(count),
        'x-forwarded-proto': 'https',
      };
      const body = { email, password: 'not this one' };
      statuses.push((await call(service, 'POST', '/auth/sign-in/email', body, headers)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  },
);

test('the right password uncounts its own attempt, but no wrong one', async () => {
  const owner = await signIn(app, await app.tenant());
  const address = '203.0.113.40';
  const guess = { email: owner.email, password: 'not this one' };
  for (let time = 0; time < 12; time++) {
    expect((await signInFrom(address, owner)).status).toBe(200);
  }
  await countAttempts(8, owner.email, address);
  expect((await signInFrom(address, guess)).status).toBe(401);
  expect((await signInFrom(address, owner)).status).toBe(200);
  expect((await signInFrom(address, guess)).status).toBe(401);
  expect((await signInFrom(address, owner)).status).toBe(429);
});

describe('through invitations', () => {
  const secretOf = async (tenantId: number, email: string) => {
    const { url } = await inviteMember(app.services, tenantId, { email, byOperator: false });
    return new URL(url).hash.slice(1);
  };
  const accept = async (secret: string, password: string) => {
    const body = { secret, password, has_account: true };
    return (await post(app, '/auth/invitation/accept', body)).status;
  };

  test('a password can be guessed only as often as at the sign-in, however many links are created', async () => {
    const { email, password } = await signIn(app, await app.tenant());
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      statuses.push(await accept(await secretOf(shop.id, email), 'not this one'));
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
    expect(await accept(await secretOf(other.id, email), password)).toBe(200);
  });

  test('a person can join although strangers have used up the attempts on the email', async () => {
    const { email, password } = await signIn(app, await app.tenant());
    await attack(email);
    const shop = await app.tenant();
    expect(await accept(await secretOf(shop.id, email), password)).toBe(200);
  });
});

test('attempts of one address on many accounts, and of many addresses on one, are limited', async () => {
  const refused = { kind: 'rate_limited' };
  for (let person = 0; person < 60; person++) {
    await limit.countSignIn(`${person}@a.example`, '192.0.2.1');
  }
  await expect(limit.countSignIn('60@a.example', '192.0.2.1')).rejects.toMatchObject(refused);
  await limit.countSignIn('60@a.example', '192.0.2.2');
  await attack('one@b.example');
  await expect(limit.countSignIn('one@b.example', '203.0.113.1')).rejects.toMatchObject(refused);
});

test('an attempt over a limit writes nothing', async () => {
  const storedCounts = async () => {
    const { rows } = await app.db.query(sql`
      select encode(key, 'hex') as key, attempts, since, xmin::text from password_attempts
      order by key`);
    return rows;
  };
  await countAttempts(10, 'written@example.com', '192.0.2.50');
  for (let person = 0; person < 60; person++) {
    await limit.countSignIn(`${person}@c.example`, '192.0.2.51');
  }
  await attack('written-by-many@example.com');
  const before = await storedCounts();
  for (const [email, address] of [
    ['written@example.com', '192.0.2.50'],
    ['written-nowhere@example.com', '192.0.2.51'],
    ['written-by-many@example.com', '192.0.2.52'],
  ] as const) {
    const response = await signInFrom(address, { email, password: 'not this one' });
    expect(response.status, email).toBe(429);
  }
  expect(await storedCounts()).toEqual(before);
});

test('attempts of IPv6 clients are counted by /64', async () => {
  const owner = await signIn(app, await app.tenant());
  const guess = async (address: string) =>
    (await signInFrom(address, { email: owner.email, password: 'not this one' })).status;
  await countAttempts(9, owner.email, '2001:db8:1:2::1');
  expect(await guess('2001:db8:1:2::2')).toBe(401);
  expect(await guess('2001:db8:1:2::3')).toBe(429);
  expect(await guess('2001:db8:1:3::1')).toBe(401);
});

describe('a device on which an account has signed in before', () => {
  test('is not locked out by strangers, unlike a new one', async () => {
    const owner = await signIn(app, await app.tenant());
    const first = await signInFrom('203.0.113.5', owner);
    const device = deviceCookieOf(first);
    await post(app, '/auth/sign-out', {}, cookieOf(first as TestResponse));
    await attack(owner.email);
    expect((await signInFrom('203.0.113.6', owner)).status).toBe(429);
    const back = await signInFrom('203.0.113.7', owner, device);
    expect(back.status).toBe(200);

    // The device is still known after a password change.
    const newPassword = 'a new long password';
    const change = { currentPassword: owner.password, newPassword };
    await post(app, '/auth/change-password', change, owner.cookie);
    const again = { email: owner.email, password: newPassword };
    expect((await signInFrom('203.0.113.8', again, device)).status).toBe(200);
    expect((await signInFrom('203.0.113.8', owner, device)).status).toBe(401);
  });

  test('has its own attempts, whatever its address', async () => {
    const owner = await signIn(app, await app.tenant());
    const device = deviceCookieOf(await signInFrom('203.0.113.9', owner));
    await attack(owner.email);
    const wrong = { email: owner.email, password: 'not this one' };
    const statuses = [];
    for (let from = 10; from < 21; from++) {
      statuses.push((await signInFrom(`203.0.113.${from}`, wrong, device)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await signInFrom('203.0.113.30', owner, device)).status).toBe(429);
  });

  test('is known only to the accounts that have signed in on it, and only by our own cookie', async () => {
    const shop = await app.tenant();
    const [ana, ben, eve] = [
      await signIn(app, shop),
      await signIn(app, shop),
      await signIn(app, shop),
    ];
    const ofAna = deviceCookieOf(await signInFrom('203.0.113.31', ana));
    const ofBoth = deviceCookieOf(await signInFrom('203.0.113.32', ben, ofAna));
    const ofEve = deviceCookieOf(await signInFrom('203.0.113.33', eve));
    for (const { email } of [ana, ben]) await attack(email);
    expect((await signInFrom('203.0.113.34', ben, ofAna)).status).toBe(429);
    expect((await signInFrom('203.0.113.34', ana, ofEve)).status).toBe(429);
    for (const person of [ana, ben]) {
      expect((await signInFrom('203.0.113.35', person, ofBoth)).status).toBe(200);
    }

    const [, value = ''] = ofEve.split('=');
    const parts = ofBoth.split('=')[1]!.split('.');
    const forgeries = [
      [...value.split('.').slice(0, -1), ...parts.slice(1, 3), value.split('.').at(-1)].join('.'),
      [...parts.slice(0, -1), 'A'.repeat(43)].join('.'),
      parts.slice(0, -1).join('.'),
      '',
    ];
    for (const forgery of forgeries) {
      const cookie = `__Secure-parley.known_device=${forgery}`;
      expect((await signInFrom('203.0.113.36', ana, cookie)).status, forgery).toBe(429);
    }
  });

  test('that is known to another person’s account with the same email cannot guess the person’s password', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const person = await signIn(app, shop);
    const squatter = { email: person.email, password: 'the password of a squatter' };
    const { url } = await inviteMember(app.services, other.id, {
      email: person.email,
      byOperator: false,
    });
    const given = { secret: new URL(url).hash.slice(1), password: squatter.password };
    await post(app, '/auth/invitation/accept', given);
    const device = deviceCookieOf(await signInFrom('203.0.113.50', squatter));
    await attack(person.email);
    expect((await signInFrom('203.0.113.51', squatter, device)).status).toBe(200);
    const guess = await signInFrom('203.0.113.51', person, device);
    expect([guess.status, guess.body.message]).toEqual([401, 'Email or password is wrong.']);
  });

  test('has a cookie that scripts and other sites cannot use, and that signs nobody in', async () => {
    const owner = await signIn(app, await app.tenant());
    const response = await signInFrom('203.0.113.60', owner);
    const [cookie = ''] = [response.headers['set-cookie'] ?? []]
      .flat()
      .filter((each) => String(each).startsWith('__Secure-parley.known_device='));
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/auth']) {
      expect(cookie).toContain(attribute);
    }
    const session = await app.app.inject({
      url: '/auth/session',
      headers: { cookie: deviceCookieOf(response) },
    });
    expect(session.json().data).toBeNull();
  });

  test('is unknown with another master key, and becomes known only after the second factor', async () => {
    const owner = await signIn(app, await app.tenant());
    const device = deviceCookieOf(await signInFrom('203.0.113.70', owner));
    const read = (key: Buffer) =>
      createKnownDevices(createVault(key)).read({ headers: { cookie: device } } as never);
    expect(read(app.masterKey)?.accounts).toHaveLength(1);
    expect(read(Buffer.alloc(32, 'another'))).toBeUndefined();

    const { password } = owner;
    const enabled = await post(app, '/auth/two-factor/enable', { password }, owner.cookie);
    await app.db.query(sql`
      update auth."user" set "twoFactorEnabled" = true where "email" = ${owner.email}`);
    await app.db.query(sql`
      update auth."twoFactor" set "verified" = true
      where "userId" = (select "id" from auth."user" where "email" = ${owner.email})`);
    const half = await signInFrom('203.0.113.71', owner);
    expect(half.body.data.twoFactorRedirect).toBe(true);
    expect(deviceCookieOf(half)).toBe('');
    const code = { code: enabled.body.data.backupCodes[0] };
    const cookie = cookieOf(half as TestResponse);
    const whole = await post(app, '/auth/two-factor/verify-backup-code', code, cookie);
    expect(deviceCookieOf(whole)).not.toBe('');
  });
});
