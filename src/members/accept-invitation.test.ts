import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { cheapPasswords } from '../../test/features/cheap-passwords.ts';
import { openSession, post, signIn } from '../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { inviteMember } from './invite-member.ts';

cheapPasswords();
const app = testApp();
const password = 'correct horse battery';

async function invite(shop: TestTenant, email: string, byOperator = false, role = 'staff') {
  const { url } = await inviteMember(app.services, shop.id, { email, role, byOperator });
  return new URL(url).hash.slice(1);
}

const accept = (secret: string, chosen = password) =>
  post(app, '/auth/invitation/accept', { secret, password: chosen });

async function rolesOf(shop: TestTenant) {
  const { rows } = await app.db.query<{ email: string; role: string }>(sql`
    select u.email, m.role from members m join auth."user" u on u.id = m.user_id
    where m.tenant_id = ${shop.id} order by u.email`);
  return Object.fromEntries(rows.map(({ email, role }) => [email, role]));
}

describe('a member', () => {
  test('cannot be invited again', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const email = ` ${owner.email.toUpperCase()} `;
    const invited = await owner.call('POST', '/members/invitations', { email, role: 'staff' });
    expect(invited.status).toBe(422);
    expect(invited.body.errors.email[0]).toContain('already belongs to a member');
    expect((await owner.call('GET', '/members')).body.data.invitations).toEqual([]);
  });

  test('who became an owner after being invited as staff stays one', async () => {
    const [shop, home] = [await app.tenant(), await app.tenant()];
    const person = await signIn(app, home);
    const secret = await invite(shop, person.email, false, 'staff');
    await app.db.query(sql`
      insert into members (tenant_id, user_id, role)
      select ${shop.id}, "id", 'owner' from auth."user" where "email" = ${person.email}`);
    expect((await accept(secret, person.password)).status).toBe(200);
    expect(await rolesOf(shop)).toEqual({ [person.email]: 'owner' });
  });

  test('who is staff becomes an owner with the operator’s link', async () => {
    const shop = await app.tenant();
    const staff = await signIn(app, shop, 'staff');
    expect((await accept(await invite(shop, staff.email, true, 'owner'))).status).toBe(200);
    expect(await rolesOf(shop)).toEqual({ [staff.email]: 'owner' });
  });
});

test('an invited person can sign in afterwards, whatever the email looks like', async () => {
  const shop = await app.tenant();
  for (const email of ["o'neil+shop_1@sub-domain.example.museum", 'A.B-c@Example.COM']) {
    expect((await accept(await invite(shop, email))).status).toBe(200);
    expect(await openSession(app, email, password)).not.toBe('');
  }
  for (const email of [
    'owner@localhost',
    'jürgen@example.com',
    'a/b@example.com',
    'a..b@example.com',
  ]) {
    await expect(invite(shop, email)).rejects.toMatchObject({
      errors: { email: [expect.stringContaining('such as')] },
    });
  }
});

describe('a new person invited by two tenants', () => {
  test('joins both with one account if the passwords are the same, even at the same time', async () => {
    const shops = [await app.tenant(), await app.tenant()];
    const email = 'wanted@example.com';
    const secrets = await Promise.all(shops.map((shop) => invite(shop, email)));
    const responses = await Promise.all(secrets.map((secret) => accept(secret)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    for (const shop of shops) expect(await rolesOf(shop)).toEqual({ [email]: 'staff' });
  });

  test('has two accounts if the passwords differ, even at the same time', async () => {
    const shops = [await app.tenant(), await app.tenant()];
    const email = 'undecided@example.com';
    const secrets = await Promise.all(shops.map((shop) => invite(shop, email)));
    const passwords = ['the first long password', 'the second long password'];
    const responses = await Promise.all(
      secrets.map((secret, index) => accept(secret, passwords[index])),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    for (const [index, shop] of shops.entries()) {
      expect(await rolesOf(shop)).toEqual({ [email]: 'staff' });
      const cookie = await openSession(app, email, passwords[index]!);
      const session = await call(app, 'GET', '/auth/session', undefined, { cookie });
      expect(session.body.data.tenants).toMatchObject([{ slug: shop.slug }]);
    }
  });
});

test('a link whose acceptance is interrupted still works, and leaves no account behind', async () => {
  const shop = await app.tenant();
  const secret = await invite(shop, 'unlucky@example.com', true);
  const holder = await holdLocks(app, 'lock table members in share mode');
  const accepting = accept(secret);
  const [waiter] = await lockWaiters(app);
  await app.db.pool.query('select pg_terminate_backend($1)', [waiter]);
  expect((await accepting).status).toBe(500);
  await holder.query('commit');
  const { rows } = await app.db.query(sql`
    select from auth."user" where email = 'unlucky@example.com'`);
  expect(rows).toHaveLength(0);
  expect((await accept(secret)).status).toBe(200);
  expect(await openSession(app, 'unlucky@example.com', password)).not.toBe('');
});

test('a link that is accepted while the member is removed waits, and is not valid any more', async () => {
  const shop = await app.tenant();
  const { email, password } = await signIn(app, shop, 'staff');
  const secret = await invite(shop, email, true, 'owner');
  // As `changeMember` does.
  const change = await holdLocks(app, 'select from members where tenant_id = $1 for update', [
    shop.id,
  ]);
  const accepting = accept(secret, `${password} new`);
  await lockWaiters(app);
  await change.query('delete from members where tenant_id = $1', [shop.id]);
  await change.query('delete from invitations where tenant_id = $1', [shop.id]);
  await change.query('commit');
  expect((await accepting).status).toBe(404);
  expect(await rolesOf(shop)).toEqual({});
});

test('the operator’s link sets the password of an account without one', async () => {
  const [shop, email] = [await app.tenant(), 'half-made@example.com'];
  await app.db.query(sql`
    insert into auth."user" ("id", "name", "email", "emailVerified")
    values ('half-made', 'Half', ${email}, true)`);
  await app.db.query(sql`
    insert into members (tenant_id, user_id, role) values (${shop.id}, 'half-made', 'staff')`);
  expect((await accept(await invite(shop, email, true))).status).toBe(200);
  expect(await openSession(app, email, password)).not.toBe('');
});

test('an account that is deleted while its owner accepts an invitation is replaced by a new one', async () => {
  const shop = await app.tenant();
  const email = 'returning@example.com';
  const secret = await invite(shop, email);
  expect((await accept(secret)).status).toBe(200);
  await app.db.query(sql`delete from members where tenant_id = ${shop.id}`);
  const again = await invite(shop, email);
  const deletion = await holdLocks(app, `delete from auth."user" where "email" = $1`, [email]);
  const accepted = accept(again);
  await lockWaiters(app);
  await deletion.query('commit');
  expect((await accepted).status).toBe(200);
  expect(await rolesOf(shop)).toEqual({ [email]: 'staff' });
});
