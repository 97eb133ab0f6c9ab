import { pino } from 'pino';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { cheapPasswords } from '../../../test/features/cheap-passwords.ts';
import { cookieOf, post, signIn, type TestMember, totp } from '../../../test/features/sign-in.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { inviteMember } from '../invite-member.ts';

/** The lines of the log. */
const logged: string[] = [];
cheapPasswords();
const app = testApp({}, pino({ level: 'info' }, { write: (line) => void logged.push(line) }));
const password = 'correct horse battery';

describe('a second factor', () => {
  test('is required after the password', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const { backupCodes } = await setUp(owner);
    const half = await post(app, '/auth/sign-in/email', owner);
    expect(half.body.data.twoFactorRedirect).toBe(true);
    const cookie = cookieOf(half);
    const { rows } = await app.db.query<{ identifier: string }>(sql`
      select identifier from auth."verification"`);
    expect(rows.length).toBeGreaterThan(0);
    for (const { identifier } of rows) {
      expect(decodeURIComponent(cookie)).not.toContain(identifier);
    }
    expect((await call(app, 'GET', '/auth/session', undefined, { cookie })).body.data).toBeNull();
    const wrong = await post(app, '/auth/two-factor/verify-totp', { code: '00000x' }, cookie);
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.code).toHaveLength(1);
    const whole = await post(
      app,
      '/auth/two-factor/verify-backup-code',
      { code: backupCodes[0] },
      cookie,
    );
    expect(whole.status).toBe(200);
    const session = await call(app, 'GET', '/auth/session', undefined, {
      cookie: cookieOf(whole),
    });
    expect(session.body.data).toMatchObject({ email: owner.email, two_factor: true });
  });

  test('that is guessed ends the sign-in, and after ten wrong codes no code is accepted', async () => {
    const owner = await signIn(app, await app.tenant());
    const { totpURI } = await setUp(owner);
    const verify = (code: string, cookie: string) =>
      post(app, '/auth/two-factor/verify-totp', { code }, cookie);
    const guess = async () => {
      const cookie = cookieOf(await post(app, '/auth/sign-in/email', owner));
      for (let count = 0; count < 5; count++) {
        expect((await verify('12345x', cookie)).body.errors.code[0]).toContain(
          'is not the current code',
        );
      }
      return cookie;
    };
    const cookie = await guess();
    const over = await verify('12345x', cookie);
    expect(over.status).toBe(401);
    expect(over.body.message).toBe('Too many wrong codes. Sign in again.');
    const right = await verify(totp(totpURI), cookie);
    expect(right.status).toBe(401);
    expect(right.body.message).toBe('This sign-in has ended. Sign in again.');

    const locked = await verify(totp(totpURI), await guess());
    expect(locked.status).toBe(429);
    expect(locked.headers['retry-after']).toBe('900');
    expect(locked.body.message).toBe('Too many wrong codes. Wait 15 min and sign in again.');
  });

  test('can be guessed fifty times in a quarter of an hour, however many sign-ins are begun before', async () => {
    const owner = await signIn(app, await app.tenant());
    const { totpURI } = await setUp(owner);
    const begin = () => post(app, '/auth/sign-in/email', owner);
    const verify = (code: string, cookie: string) =>
      post(app, '/auth/two-factor/verify-totp', { code }, cookie);
    // One that is completed is not counted.
    const completed = await verify(totp(totpURI), cookieOf(await begin()));
    expect(completed.status).toBe(200);
    const begun = [];
    for (let count = 0; count < 12; count++) begun.push(await begin());
    expect(begun.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 429]);
    expect(begun[10]!.body.message).toBe('Too many attempts. Wait 15 min and try again.');
    // The device on which the person has signed in is not locked out.
    const own = await post(app, '/auth/sign-in/email', owner, cookieOf(completed));
    expect(own.status).toBe(200);
    const codes = Array.from({ length: 8 }, (_, n) => `12345${n}`);
    const guesses = begun
      .slice(0, 10)
      .flatMap((answer) => codes.map((code) => verify(code, cookieOf(answer))));
    const tried = (await Promise.all(guesses)).filter(({ status }) => status === 422);
    expect(tried.length).toBeLessThanOrEqual(50);
  });

  test('accepts a code of the app only once, even at the same time', async () => {
    const owner = await signIn(app, await app.tenant());
    const { totpURI } = await setUp(owner);
    const begun = await Promise.all(
      [1, 2, 3].map(async () => cookieOf(await post(app, '/auth/sign-in/email', owner))),
    );
    const code = totp(totpURI);
    const attempts = await Promise.all(
      begun.map((cookie) => post(app, '/auth/two-factor/verify-totp', { code }, cookie)),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    for (const { status, headers, body } of attempts.filter(({ status }) => status === 401)) {
      expect([status, headers['set-cookie']]).toEqual([401, undefined]);
      expect(body.message).toBe(
        'This code has already been used. Sign in again with the next one.',
      );
    }
    const { rows } = await app.db.query(sql`
      select from auth."session" s join auth."user" u on u.id = s."userId"
      where u.email = ${owner.email}`);
    expect(rows).toHaveLength(2);
  });

  test('is required on every device again after others are shut out', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    let { backupCodes } = await setUp(owner);
    const colleague = await signIn(app, shop, 'staff');
    const theirs = await setUp(colleague);
    const begun = cookieOf(await post(app, '/auth/sign-in/email', colleague));
    const begin = async (cookie?: string) => {
      const answer = await post(app, '/auth/sign-in/email', owner, cookie);
      return { asks: answer.body.data.twoFactorRedirect === true, cookie: cookieOf(answer) };
    };
    const waysOut = {
      'a new password': async () => {
        const passwords = { currentPassword: owner.password, newPassword: 'another long password' };
        await post(app, '/auth/change-password', passwords, owner.cookie);
        owner.password = passwords.newPassword;
      },
      'signing out everywhere': () => post(app, '/auth/revoke-sessions', {}, owner.cookie),
      'another second factor': async () => {
        owner.cookie = cookieOf(await post(app, '/auth/two-factor/disable', owner, owner.cookie));
        ({ backupCodes } = await setUp(owner));
      },
      'the link of the operator': async () => {
        const invited = { email: owner.email, byOperator: true };
        const { url } = await inviteMember(app.services, shop.id, invited);
        const secret = new URL(url).hash.slice(1);
        await post(app, '/auth/invitation/accept', { secret, password: owner.password });
        owner.cookie = (await begin()).cookie;
        await setUp(owner);
      },
    };
    for (const [what, shutOut] of Object.entries(waysOut)) {
      const code = { code: backupCodes.pop(), trustDevice: true };
      const { cookie } = await begin();
      const trusted = await post(app, '/auth/two-factor/verify-backup-code', code, cookie);
      const device = await begin(cookieOf(trusted));
      expect(device.asks, what).toBe(false);
      // From another device, which better-auth does not handle.
      owner.cookie = device.cookie.replace(/; [^;]*trust_device=[^;]*/, '');
      await shutOut();
      expect((await begin(device.cookie)).asks, what).toBe(true);
    }
    // Other accounts are not affected: sessions and pending sign-ins stay.
    const { cookie } = colleague;
    const session = await call(app, 'GET', '/auth/session', undefined, { cookie });
    expect(session.body.data).toMatchObject({ email: colleague.email, two_factor: true });
    const code = { code: theirs.backupCodes[0] };
    const whole = await post(app, '/auth/two-factor/verify-backup-code', code, begun);
    expect(whole.status).toBe(200);
  });

  test('can be used, and switched on, after a crash while it was switched on or off', async () => {
    const owner = await signIn(app, await app.tenant());
    const { totpURI } = await setUp(owner);
    // As between the statements of better-auth.
    await app.db.query(
      sql`update auth."twoFactor" set "verified" = false where "userId" = ${owner.userId}`,
    );
    const half = cookieOf(await post(app, '/auth/sign-in/email', owner));
    const whole = await post(app, '/auth/two-factor/verify-totp', { code: totp(totpURI) }, half);
    expect(whole.status).toBe(200);
    await app.db.query(
      sql`update auth."user" set "twoFactorEnabled" = false where "id" = ${owner.userId}`,
    );
    await setUp(owner);
    const session = await call(app, 'GET', '/auth/session', undefined, { cookie: owner.cookie });
    expect(session.body.data.two_factor).toBe(true);
  });

  test('has errors on its own field', async () => {
    const owner = await signIn(app, await app.tenant());
    const { totpURI } = await setUp(owner);
    const send = (path: string, body: object) =>
      post(app, `/auth/two-factor${path}`, body, owner.cookie);
    expect((await send('/disable', { password: 'not this one' })).body.errors).toEqual({
      password: ['is not your password'],
    });
    const again = await send('/enable', { password });
    expect([again.status, again.body.message]).toEqual([422, 'Two-step sign-in is already on.']);
    expect((await send('/verify-backup-code', { code: 'none' })).body.errors.code).toHaveLength(1);
    expect((await send('/verify-totp', { code: totp(totpURI) })).status).toBe(200);
    const nobody = await post(app, '/auth/two-factor/disable', { password });
    expect([nobody.status, nobody.body.message]).toEqual([401, 'Sign in first.']);
  });
});

/** Switches the second factor on, and continues with the new session that better-auth returns. */
async function setUp(owner: TestMember): Promise<{ totpURI: string; backupCodes: string[] }> {
  const { password, cookie } = owner;
  const { body } = await post(app, '/auth/two-factor/enable', { password }, cookie);
  const code = totp(body.data.totpURI);
  const confirmed = await post(app, '/auth/two-factor/verify-totp', { code }, cookie);
  expect(confirmed.status).toBe(200);
  owner.cookie = cookieOf(confirmed);
  return body.data;
}

describe('a body for better-auth', () => {
  test('has a new password within the length that better-auth counts', async () => {
    const owner = await signIn(app, await app.tenant());
    const passwords = { currentPassword: owner.password, newPassword: '😀'.repeat(65) };
    const { status, body } = await post(app, '/auth/change-password', passwords, owner.cookie);
    expect([status, body.errors]).toEqual([
      422,
      { newPassword: [expect.stringContaining('10 to 128 characters')] },
    ]);
  });

  const tooLong = 'a'.repeat(10_000);

  test('has a visible name, and no other field of the account', async () => {
    const owner = await signIn(app, await app.tenant());
    const update = (body: unknown) => post(app, '/auth/update-user', body, owner.cookie);
    const names = ['a\0b', 'a\nb', 'a\u0085b', null, '', ' \u00a0\u200b', { first: 'A' }, tooLong];
    for (const name of [...names, undefined, ['A'], 7]) {
      const response = await update({ name });
      expect(response.status, JSON.stringify(name)?.slice(0, 40)).toBe(422);
      expect(response.body.errors).toHaveProperty('name');
    }
    for (const name of ['Zoë 李', '👩‍💻', 'O’Hara, 2nd', 'a'.repeat(100)]) {
      const image = 'javascript:alert(1)';
      expect((await update({ name, image, emailVerified: false, email: 'x' })).status).toBe(200);
      const { rows } = await app.db.query(sql`
        select name, image, "emailVerified" from auth."user" where email = ${owner.email}`);
      expect(rows).toEqual([{ name, image: null, emailVerified: true }]);
    }
  });

  test('has strings of a length that a password or a code can have', async () => {
    const { cookie, email } = await signIn(app, await app.tenant());
    const bodies: Record<string, object> = {
      '/auth/sign-in/email': { email: { $ne: '' }, password: tooLong },
      '/auth/change-password': { currentPassword: '', newPassword: 'too short' },
      '/auth/two-factor/enable': { password: [password] },
      '/auth/two-factor/disable': {},
      '/auth/two-factor/generate-backup-codes': { password: null },
      '/auth/two-factor/verify-totp': { code: 123456, trustDevice: 'yes' },
      '/auth/two-factor/verify-backup-code': { code: tooLong },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const response = await post(app, path, body, cookie);
      expect(response.status, path).toBe(422);
      for (const field of Object.keys(body))
        expect(response.body.errors, path).toHaveProperty(field);
    }
    const nested = `{"email":"${email}","password":"x","more":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;
    expect((await post(app, '/auth/sign-in/email', nested)).status).toBe(422);
    expect((await post(app, '/auth/sign-out', nested, cookie)).status).toBe(200);
  });

  test('has no redirect URL, so that nobody can write to the log with one', async () => {
    const { email } = await signIn(app, await app.tenant());
    logged.length = 0;
    for (const callbackURL of ['https://evil.example/\n{}', '//evil.example', 'javascript:x', 7]) {
      const hostile = {
        email,
        callbackURL,
        redirectTo: callbackURL,
        errorCallbackURL: callbackURL,
      };
      const wrong = await post(app, '/auth/sign-in/email', { ...hostile, password: 'not this' });
      expect(wrong.status).toBe(401);
      const right = await post(app, '/auth/sign-in/email', { ...hostile, password });
      expect(right.body.data).not.toHaveProperty('url', callbackURL);
    }
    expect(
      logged.filter((line) => /evil|javascript/.test(line) || line.includes('"level":50')),
    ).toEqual([]);
  });
});
