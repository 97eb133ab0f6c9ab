import { createHook } from 'node:async_hooks';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { cheapPasswords } from '../../test/features/cheap-passwords.ts';
import {
  cookieOf,
  openSession,
  post,
  signIn,
  type TestMember,
} from '../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { connectTestNumber } from '../../test/servers/control.ts';
import { inviteMember } from './invite-member.ts';
import { pruneSignIns } from './sign-in/account-queries.ts';

cheapPasswords();
const app = testApp();
const theirs = 'the password of a squatter';
const mine = 'the password of the person';

/** Creates an invitation as an owner in the dashboard. */
async function invite(owner: TestMember, email: string): Promise<string> {
  const { body } = await owner.call('POST', '/members/invitations', { email, role: 'staff' });
  return new URL(body.data.url).hash.slice(1);
}

const accept = (secret: string, password: string, more: object = {}) =>
  post(app, '/auth/invitation/accept', { secret, password, ...more });

async function ownedTenant(): Promise<{ shop: TestTenant; owner: TestMember }> {
  const shop = await app.tenant({ number: false });
  return { shop, owner: await signIn(app, shop) };
}

async function tenantsOf(email: string, password: string): Promise<string[]> {
  const cookie = await openSession(app, email, password);
  const { body } = await call(app, 'GET', '/auth/session', undefined, { cookie });
  return body.data.tenants.map(({ slug }: { slug: string }) => slug).sort();
}

async function countAccounts(email: string): Promise<number> {
  const { rows } = await app.db.query(sql`select from auth."user" where email = ${email}`);
  return rows.length;
}

/**
 * Counts the password hashes that are computed. They take a tenth of a second each, everything else
 * very little.
 */
async function hashesIn(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'SCRYPTREQUEST') hashes++;
    },
  }).enable();
  await work();
  hook.disable();
  return hashes;
}

describe('an account that another person created with somebody’s email', () => {
  test('does not block an invitation, and neither account sees the tenant of the other', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = 'squatted@example.com';
    expect((await accept(await invite(alpha.owner, email), theirs)).status).toBe(200);

    const secret = await invite(beta.owner, email);
    expect((await accept(secret, mine, { name: 'The Person' })).status).toBe(200);
    expect(await tenantsOf(email, mine)).toEqual([beta.shop.slug]);
    expect(await tenantsOf(email, theirs)).toEqual([alpha.shop.slug]);
    for (const [password, foreign] of [
      [mine, alpha],
      [theirs, beta],
    ] as const) {
      const cookie = await openSession(app, email, password);
      const path = `/dashboard-api/${foreign.shop.slug}/overview`;
      expect((await call(app, 'GET', path, undefined, { cookie })).status).toBe(404);
    }
    const { members } = (await beta.owner.call('GET', '/members')).body.data;
    expect(members).toMatchObject([{}, { email, name: 'The Person', role: 'staff' }]);
  });

  test('is independent: password, second factor, sessions and removal', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = 'apart@example.com';
    await accept(await invite(alpha.owner, email), theirs);
    await accept(await invite(beta.owner, email), mine);
    const person = await openSession(app, email, mine);
    const squatter = await openSession(app, email, theirs);

    const changed = { currentPassword: theirs, newPassword: 'another of the squatter' };
    const change = await post(app, '/auth/change-password', changed, squatter);
    expect(change.status).toBe(200);
    await post(app, '/auth/two-factor/enable', { password: changed.newPassword }, squatter);
    await post(app, '/auth/revoke-sessions', {}, squatter);
    const { members } = (await alpha.owner.call('GET', '/members')).body.data;
    await alpha.owner.call('DELETE', `/members/${members[1].user_id}`);

    const session = await call(app, 'GET', '/auth/session', undefined, { cookie: person });
    expect(session.body.data).toMatchObject({ email, two_factor: false });
    expect(await tenantsOf(email, mine)).toEqual([beta.shop.slug]);
    expect(await openSession(app, email, theirs)).toBe('');
    expect(await tenantsOf(email, changed.newPassword)).toEqual([]);
  });

  test('gives no access to what the person had before', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = 'owned@example.com';
    await accept(await invite(beta.owner, email), mine);
    const claimed = await accept(await invite(alpha.owner, email), theirs, { has_account: true });
    expect(claimed.status).toBe(422);
    expect((await accept(await invite(alpha.owner, email), theirs)).status).toBe(200);
    expect(await tenantsOf(email, theirs)).toEqual([alpha.shop.slug]);
    expect(await tenantsOf(email, mine)).toEqual([beta.shop.slug]);
  });

  test('is not changed by the operator’s link to another tenant', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = 'operated@example.com';
    const operatorLink = async ({ shop }: { shop: TestTenant }) => {
      const { url } = await inviteMember(app.services, shop.id, { email, byOperator: true });
      return new URL(url).hash.slice(1);
    };
    await accept(await invite(alpha.owner, email), theirs);
    expect((await accept(await operatorLink(beta), mine)).status).toBe(200);
    expect(await tenantsOf(email, mine)).toEqual([beta.shop.slug]);
    expect(await tenantsOf(email, theirs)).toEqual([alpha.shop.slug]);

    const reset = await operatorLink(beta);
    expect((await post(app, '/auth/invitation', { secret: reset })).body.data.accept_by).toBe(
      'reset',
    );
    const same = await accept(reset, theirs);
    expect(same.body.errors.password).toEqual([
      'is that of another account of this email; choose another',
    ]);
    expect((await accept(reset, 'a wholly new password')).status).toBe(200);
    expect(await openSession(app, email, mine)).toBe('');
    expect(await tenantsOf(email, 'a wholly new password')).toEqual([beta.shop.slug]);
    expect(await tenantsOf(email, theirs)).toEqual([alpha.shop.slug]);
  });
});

describe('an invitation does not reveal whether the email has an account elsewhere', () => {
  test('by its page, a refusal, success, or the time they take', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const [known, older] = ['known@example.com', (await signIn(app, beta.shop)).email];
    await accept(await invite(beta.owner, known), mine);
    const seen = [];
    for (const email of ['unknown@example.com', known, older]) {
      const made = await alpha.owner.call('POST', '/members/invitations', { email, role: 'staff' });
      const secret = new URL(made.body.data.url).hash.slice(1);
      const { headers, ...page } = await post(app, '/auth/invitation', { secret });
      const responses: unknown[] = [made.status, Object.keys(made.body.data), page];
      const hashes = await hashesIn(async () => {
        for (const more of [{ has_account: true }, {}]) {
          const { status, body } = await accept(secret, theirs, more);
          responses.push(status, body);
        }
      });
      const { members } = (await alpha.owner.call('GET', '/members')).body.data;
      const { user_id, created_at, ...member } = members.at(-1);
      seen.push(JSON.stringify([hashes, responses, member]).replaceAll(email, 'the email'));
    }
    expect(seen[1]).toBe(seen[0]!.replaceAll('unknown', 'known'));
    expect(seen[2]).toBe(seen[0]!.replaceAll('unknown', older.split('@')[0]!));
    expect(seen[0]).toContain('is not the password of an account with this email');
  });

  test('and a sign-in takes the same time for none, one and two accounts', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = 'two-accounts@example.com';
    const guess = (address: string) => () =>
      post(app, '/auth/sign-in/email', { email: address, password: 'not this one' });
    const counts = [await hashesIn(guess(email))];
    await accept(await invite(alpha.owner, email), theirs);
    counts.push(await hashesIn(guess(email)));
    await accept(await invite(beta.owner, email), mine);
    counts.push(await hashesIn(guess(email)), await hashesIn(guess(alpha.owner.email)));
    counts.push(await hashesIn(() => openSession(app, email, mine)));
    expect(counts).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('a person in two tenants', () => {
  test.each([
    ['says that they have an account', { has_account: true }],
    ['simply enters its password', { name: 'Ignored' }],
  ])('has one account if the person %s', async (_, more) => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = `both-${Object.keys(more)[0]}@example.com`.replaceAll('_', '-');
    await accept(await invite(alpha.owner, email), mine, { name: 'The Person' });
    const secret = await invite(beta.owner, email);
    const wrong = await accept(secret, 'not the password', { has_account: true });
    expect(wrong.body.errors).toEqual({
      password: ['is not the password of an account with this email'],
    });
    expect((await accept(secret, mine, more)).status).toBe(200);
    expect(await countAccounts(email)).toBe(1);
    expect(await tenantsOf(email, mine)).toEqual([alpha.shop.slug, beta.shop.slug].sort());
    const { members } = (await beta.owner.call('GET', '/members')).body.data;
    expect(members[1]).toMatchObject({ email, name: 'The Person' });

    await beta.owner.call('DELETE', `/members/${members[1].user_id}`);
    expect(await tenantsOf(email, mine)).toEqual([alpha.shop.slug]);
  });

  test('needs the second factor of that account', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const { email, password, cookie } = await signIn(app, alpha.shop, 'staff');
    const enabled = await post(app, '/auth/two-factor/enable', { password }, cookie);
    const { totpURI, backupCodes } = enabled.body.data;
    expect(decodeURIComponent(new URL(totpURI).pathname)).toContain(`Parley:${email}`);
    await app.db.query(sql`
      update auth."user" set "twoFactorEnabled" = true where "email" = ${email}`);
    await app.db.query(sql`
      update auth."twoFactor" set "verified" = true
      where "userId" = (select "id" from auth."user" where "email" = ${email})`);
    const secret = await invite(beta.owner, email);
    expect((await accept(secret, password, { has_account: true })).status).toBe(200);
    const half = await post(app, '/auth/sign-in/email', { email, password });
    expect(half.body.data.twoFactorRedirect).toBe(true);
    const code = { code: backupCodes[0] };
    const whole = await post(app, '/auth/two-factor/verify-backup-code', code, cookieOf(half));
    const session = await call(app, 'GET', '/auth/session', undefined, {
      cookie: cookieOf(whole),
    });
    expect(session.body.data.tenants).toHaveLength(2);
  });

  test('with two accounts cannot give both the same password', async () => {
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    const email = 'careful@example.com';
    await accept(await invite(alpha.owner, email), theirs);
    await accept(await invite(beta.owner, email), mine);
    const cookie = await openSession(app, email, mine);
    const change = async (currentPassword: string, newPassword: string) =>
      (await post(app, '/auth/change-password', { currentPassword, newPassword }, cookie)).body;
    expect((await change(mine, theirs)).errors).toEqual({
      newPassword: ['is that of another account of this email; choose another'],
    });
    expect((await change('not my password', theirs)).errors).toEqual({
      currentPassword: ['is not your password'],
    });
    expect((await change(mine, 'a third long password')).success).toBe(true);
    expect(await tenantsOf(email, 'a third long password')).toEqual([beta.shop.slug]);
    // The error reveals a right guess, so the attempts are limited as at the sign-in.
    const responses = [];
    for (let time = 0; time < 9; time++) responses.push(await change('x', 'guess of a password'));
    expect(responses.at(-1).message).toContain('Too many attempts');
  });
});

describe('accounts of an email that a move or an import gave the same password', () => {
  const email = 'arrived@example.com';
  const userIds = async () => {
    const { rows } = await app.db.query<{ id: string }>(sql`
      select "id" as id from auth."user" where "email" = ${email} order by "createdAt"`);
    return rows.map(({ id }) => id);
  };

  /** Invites the person to two tenants, each with its own account. Afterwards both have the password `mine`. */
  async function arrive() {
    await app.db.query(sql`delete from auth."user" where "email" = ${email}`);
    const [alpha, beta] = [await ownedTenant(), await ownedTenant()];
    await accept(await invite(alpha.owner, email), mine);
    await accept(await invite(beta.owner, email), theirs);
    const [first, second] = await userIds();
    await app.db.query(sql`
      update auth."account" set "password" = (
        select "password" from auth."account" where "userId" = ${first})
      where "userId" = ${second}`);
    const slugs = [alpha.shop.slug, beta.shop.slug].sort();
    return { alpha: alpha.shop, beta: beta.shop, slugs, first: first!, second: second! };
  }
  const enter = () => post(app, '/auth/sign-in/email', { email, password: mine });
  const protect = (id: string) =>
    app.db.query(sql`update auth."user" set "twoFactorEnabled" = true where "id" = ${id}`);
  const membersOf = async ({ id }: TestTenant) =>
    (await app.db.query(sql`select user_id, role from members where tenant_id = ${id}`)).rows;

  test('become one at the next sign-in, with the conversations that are assigned to them', async () => {
    const { alpha, beta, slugs, first, second } = await arrive();
    const number = await connectTestNumber(app, beta.id);
    const join = sql`insert into members (tenant_id, user_id, role) values `;
    await app.db.query(sql`${join} (${alpha.id}, ${second}, 'owner')`);
    await app.db.query(sql`
      insert into conversations (tenant_id, person, number_id, assignee)
      values (${beta.id}, '+1', ${number.id}, ${second})`);
    expect(await tenantsOf(email, mine)).toEqual(slugs);
    expect(await userIds()).toEqual([first]);
    // The higher one of two roles.
    expect(await membersOf(alpha)).toContainEqual({ user_id: first, role: 'owner' });
    const { rows } = await app.db.query(sql`
      select assignee from conversations where tenant_id = ${beta.id}`);
    expect(rows).toEqual([{ assignee: first }]);
  });

  test('become the one with a second factor, and two with one are refused', async () => {
    const { beta, first, second } = await arrive();
    await protect(second);
    expect((await enter()).body.data.twoFactorRedirect).toBe(true);
    expect(await userIds()).toEqual([second]);
    expect(await membersOf(beta)).toContainEqual({ user_id: second, role: 'staff' });
    expect(first).not.toBe(second);

    const again = await arrive();
    await protect(again.first);
    await protect(again.second);
    const refused = await enter();
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain('Ask the operator for a link');
    expect(await userIds()).toEqual([again.first, again.second]);
  });

  test('stay as they are while a tenant is held for a move', async () => {
    const { alpha, beta, first, second } = await arrive();
    await app.db.query(sql`
      insert into tenant_moves (tenant_id, id, state, other_cell) values (${beta.id}, 1, 'held', 'two')`);
    expect(await tenantsOf(email, mine)).toEqual([alpha.slug]);
    expect(await userIds()).toEqual([first, second]);
  });
});

test('a person who was removed from the last tenant gets a new account with a new invitation', async () => {
  const { owner } = await ownedTenant();
  const email = 'again-and-again@example.com';
  await accept(await invite(owner, email), mine);
  const { members } = (await owner.call('GET', '/members')).body.data;
  await owner.call('DELETE', `/members/${members[1].user_id}`);
  await pruneSignIns(app.db);
  expect(await countAccounts(email)).toBe(0);
  const secret = await invite(owner, email);
  expect((await accept(secret, mine, { has_account: true })).status).toBe(422);
  expect((await accept(secret, mine)).status).toBe(200);
  expect(await countAccounts(email)).toBe(1);
});

test('a password hash of an earlier version is renewed at the next sign-in', async () => {
  const { email, password } = await signIn(app, await app.tenant({ number: false }));
  const stored = async () => {
    const { rows } = await app.db.query<{ password: string }>(sql`
      select a."password" as password from auth."account" a
      join auth."user" u on u."id" = a."userId" where u."email" = ${email}`);
    return rows[0]!.password;
  };
  const before = await stored();
  expect(await openSession(app, email, password)).not.toBe('');
  const renewed = await stored();
  expect(renewed).not.toBe(before);
  expect(await openSession(app, email, password)).not.toBe('');
  expect(await stored()).toBe(renewed);
});
