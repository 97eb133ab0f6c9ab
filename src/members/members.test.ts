import { createHmac } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { cheapPasswords } from '../../test/features/cheap-passwords.ts';
import {
  cookieOf,
  openSession,
  post,
  sameOrigin,
  signIn,
  type TestMember,
} from '../../test/features/sign-in.ts';
import { call, testApp } from '../../test/program/app.ts';
import { sha256 } from '../platform/secrets/crypto.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { inviteMember } from './invite-member.ts';
import { pruneSignIns } from './sign-in/account-queries.ts';
import { createPasswordLimit } from './sign-in/passwords/limit-passwords.ts';

cheapPasswords();
const app = testApp();
const password = 'correct horse battery';

async function link(tenantId: number, email: string, byOperator: boolean, role = 'owner') {
  const { url } = await inviteMember(app.services, tenantId, { email, role, byOperator });
  return new URL(url).hash.slice(1);
}

describe('an invitation', () => {
  test('of an owner is refused beyond 200 members and invitations', async () => {
    const shop = await app.tenant({ number: false });
    const owner = await signIn(app, shop);
    await app.db.query(sql`
      insert into invitations (tenant_id, email, role, token_hash, by_operator, expires_at)
      select ${shop.id}::bigint, n || '@example.com', 'staff', sha256((${shop.slug}::text || n)::bytea),
             false, now() + interval '1 day'
      from generate_series(1, 199) as n`);
    const invite = (email: string) =>
      owner.call('POST', '/members/invitations', { email, role: 'staff' });
    const refused = await invite('200@example.com');
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { email: ['cannot be invited: the tenant has 200 members and invitations, the maximum'] },
    ]);
    expect((await invite('199@example.com')).status).toBe(200);
    await app.db.query(sql`
      update invitations set expires_at = now()
      where tenant_id = ${shop.id} and email = '1@example.com'`);
    // Inserting waits for the lock, so that all requests have counted before the first insert.
    const held = await holdLocks(app, 'lock table invitations in share mode');
    const many = Promise.all(['a', 'b', 'c'].map((name) => invite(`${name}@example.com`)));
    await lockWaiters(app, { count: 3 });
    await held.query('commit');
    expect((await many).map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await link(shop.id, '200@example.com', true)).toHaveLength(43);
  });

  test('lets a person set a password once, and sign in', async () => {
    const shop = await app.tenant();
    const secret = await link(shop.id, 'Ada@Example.com', true);
    expect((await post(app, '/auth/invitation', { secret })).body.data).toEqual({
      email: 'ada@example.com',
      role: 'owner',
      tenant_name: shop.slug,
      accept_by: 'join',
    });
    for (const unfit of ['short', 'long'.repeat(33)]) {
      const response = await post(app, '/auth/invitation/accept', { secret, password: unfit });
      expect(response.status).toBe(422);
      expect(response.body.errors.password[0]).toContain('10 to 128');
    }

    const accepted = await post(app, '/auth/invitation/accept', { secret, password });
    expect(accepted.body.data).toEqual({ email: 'ada@example.com', tenant: shop.slug });
    expect((await post(app, '/auth/invitation/accept', { secret, password })).status).toBe(404);
    expect((await post(app, '/auth/invitation', { secret })).status).toBe(404);

    const cookie = await openSession(app, 'ada@example.com', password);
    const session = await call(app, 'GET', '/auth/session', undefined, { cookie });
    expect(session.body.data.tenants).toEqual([
      { slug: shop.slug, name: shop.slug, role: 'owner', locale: 'en-GB', time_zone: null },
    ]);
  });

  test('works for seven days', async () => {
    const shop = await app.tenant();
    const secret = await link(shop.id, 'late@example.com', true);
    const age = async (interval: string) => {
      await app.db.pool.query(
        `update invitations set expires_at = expires_at - $2::interval where tenant_id = $1`,
        [shop.id, interval],
      );
    };
    await age('6 days 23 hours');
    expect((await post(app, '/auth/invitation', { secret })).status).toBe(200);
    await age('1 hour');
    expect((await post(app, '/auth/invitation', { secret })).status).toBe(404);
    expect((await post(app, '/auth/invitation/accept', { secret, password })).status).toBe(404);
  });

  test('can be accepted only once by two requests at the same time, with or without an account', async () => {
    const shop = await app.tenant();
    for (let time = 0; time < 2; time++) {
      const secret = await link(shop.id, 'twice@example.com', true);
      const responses = await Promise.all([
        post(app, '/auth/invitation/accept', { secret, password }),
        post(app, '/auth/invitation/accept', { secret, password: 'another long password' }),
      ]);
      expect(responses.map((response) => response.status).sort()).toEqual([200, 404]);
    }
  });

  test('ends when another one replaces it', async () => {
    const shop = await app.tenant();
    const replaced = await link(shop.id, 'later@example.com', true);
    const secret = await link(shop.id, 'later@example.com', true);
    expect((await post(app, '/auth/invitation', { secret: replaced })).status).toBe(404);
    expect((await post(app, '/auth/invitation', { secret })).status).toBe(200);
  });

  test('by a tenant never gives access to an existing account', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const victim = await signIn(app, shop);
    const secret = await link(other.id, victim.email, false);
    const given = { secret, password: 'my own new password' };
    expect((await post(app, '/auth/invitation/accept', given)).status).toBe(200);
    expect((await victim.call('GET', '/overview')).status).toBe(200);
    expect(await openSession(app, victim.email, victim.password)).not.toBe('');
    const cookie = await openSession(app, victim.email, given.password);
    const session = await call(app, 'GET', '/auth/session', undefined, { cookie });
    expect(session.body.data.tenants).toMatchObject([{ slug: other.slug }]);
  });

  test('by the operator replaces the password and ends all sessions', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const secret = await link(shop.id, owner.email, true);
    expect((await post(app, '/auth/invitation', { secret })).body.data.accept_by).toBe('reset');
    await post(app, '/auth/invitation/accept', { secret, password: 'a wholly new password' });
    expect((await owner.call('GET', '/overview')).status).toBe(401);
    expect(await openSession(app, owner.email, owner.password)).toBe('');
    expect(await openSession(app, owner.email, 'a wholly new password')).not.toBe('');
  });
});

describe('a session', () => {
  test('is a cookie that scripts and other sites cannot use', async () => {
    const owner = await signIn(app, await app.tenant());
    const response = await post(app, '/auth/sign-in/email', owner);
    const cookie = [response.headers['set-cookie']].flat().join('\n');
    expect(cookie).toMatch(/^__Secure-parley\.session_token=/m);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax']) {
      expect(cookie).toContain(attribute);
    }
    expect(JSON.stringify(response.body)).not.toContain(
      decodeURIComponent(cookieOf(response)).split('=')[1]?.split('.')[0],
    );
  });

  test('is stored as a hash, so that nobody can sign in with the contents of the database', async () => {
    const owner = await signIn(app, await app.tenant());
    const cookie = await openSession(app, owner.email, owner.password);
    const token = decodeURIComponent(cookie).split('=')[1]!.split('.')[0]!;
    const { rows } = await app.db.query<{ token: string }>(sql`
      select s.token from auth."session" s join auth."user" u on u.id = s."userId"
      where u.email = ${owner.email}`);
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => row.token)).toContain(sha256(token).toString('hex'));
    const secret = app.services.vault.derive('dashboard sessions');
    for (const stored of rows) {
      const signature = createHmac('sha256', secret).update(stored.token).digest('base64');
      const forged = `__Secure-parley.session_token=${encodeURIComponent(`${stored.token}.${signature}`)}`;
      const session = await call(app, 'GET', '/auth/session', undefined, { cookie: forged });
      expect(session.body.data).toBeNull();
    }
  });

  test('is extended while it is used, with the same cookie', async () => {
    const owner = await signIn(app, await app.tenant());
    await app.db.query(sql`
      update auth."session" set "expiresAt" = now() + interval '2 days'
      where "userId" = (select id from auth."user" where email = ${owner.email})`);
    const extended = await owner.call('GET', '/overview');
    expect([extended.status, cookieOf(extended)]).toEqual([200, owner.cookie]);
    expect(String(extended.headers['set-cookie'])).toContain(`Max-Age=${30 * 86_400};`);
    const { rows } = await app.db.query<{ days: number }>(sql`
      select extract(day from s."expiresAt" - now())::int as days
      from auth."session" s join auth."user" u on u.id = s."userId" where u.email = ${owner.email}`);
    expect(rows).toEqual([{ days: 29 }]);
    const next = await owner.call('GET', '/overview');
    expect([next.status, next.headers['set-cookie']]).toEqual([200, undefined]);
  });

  test('that is ended while it is extended is a 401', async () => {
    const owner = await signIn(app, await app.tenant());
    await app.db.query(sql`update auth."session" set "expiresAt" = now() + interval '2 days'`);
    // The update finds no row.
    await app.db.pool.query(`
      create function skip() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger skip before update on auth."session" for each row execute function skip()`);
    const ended = await owner.call('GET', '/overview');
    await app.db.pool.query('drop function skip cascade');
    expect([ended.status, ended.body.code]).toEqual([401, 'unauthorized']);
    expect((await owner.call('GET', '/overview')).status).toBe(200);
  });

  test('ends on all devices when the person ends all sessions', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const elsewhere = await openSession(app, owner.email, owner.password);
    expect((await post(app, '/auth/revoke-sessions', {}, elsewhere)).status).toBe(200);
    expect((await owner.call('GET', '/overview')).status).toBe(401);
  });

  test('stays when expired sessions are pruned, and so do an open invitation and the attempt counts', async () => {
    const [shop, limit] = [await app.tenant(), createPasswordLimit(app)];
    const [owner, expired] = [await signIn(app, shop), await signIn(app, shop)];
    const secret = await link(shop.id, 'open@example.com', false);
    for (let count = 0; count < 10; count++) await limit.countSignIn(owner.email, '192.0.2.1');
    const isExpired = sql`"userId" = (select id from auth."user" where email = ${expired.email})`;
    await app.db.query(sql`
      update auth."session" set "expiresAt" = now() - interval '1 s' where ${isExpired}`);
    await app.moveClock(14 * 60_000);
    await pruneSignIns(app.db);

    const left = await app.db.query(sql`select from auth."session" where ${isExpired}`);
    expect(left.rowCount).toBe(0);
    expect((await owner.call('GET', '/overview')).status).toBe(200);
    expect((await post(app, '/auth/invitation', { secret })).status).toBe(200);
    await expect(limit.countSignIn(owner.email, '192.0.2.1')).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    await app.setClock(0);
  });

  test('that has ended is pruned, as are attempts after 15 minutes and invitations after another 30 days', async () => {
    const [shop, limit] = [await app.tenant(), createPasswordLimit(app)];
    await limit.countSignIn('somebody@example.com', '192.0.2.2');
    for (const name of ['old', 'older']) await link(shop.id, `${name}@example.com`, false);
    await app.moveClock(16 * 60_000);
    await app.db.query(sql`
      update invitations set expires_at = now() - case email when 'old@example.com'
        then interval '29 days' else interval '31 days' end
      where tenant_id = ${shop.id}`);
    await pruneSignIns(app.db);
    const { rows } = await app.db.query(sql`
      select (select count(*) from password_attempts) as attempts,
             (select string_agg(email, ',') from invitations where tenant_id = ${shop.id}) as emails`);
    expect(rows).toEqual([{ attempts: 0, emails: 'old@example.com' }]);
    await app.setClock(0);
  });

  test('that cannot be ended is a 500 at sign-out, and its cookie stays', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    await app.db.pool.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise 'refused'; end $$;
      create trigger refuse before delete on auth."session"
        for each row execute function refuse()`);
    const refused = await post(app, '/auth/sign-out', {}, owner.cookie);
    await app.db.pool.query('drop function refuse cascade');
    expect(refused.status).toBe(500);
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect((await owner.call('GET', '/overview')).status).toBe(200);
    expect((await post(app, '/auth/sign-out', {}, owner.cookie)).status).toBe(200);
    expect((await owner.call('GET', '/overview')).status).toBe(401);
  });

  test('cannot be used by a page of another origin', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { ...sameOrigin, 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const response = await call(
        app,
        'PUT',
        `/dashboard-api/${shop.slug}/api-settings`,
        { api_access: false, activate: [] },
        { cookie: owner.cookie, ...headers },
      );
      expect(response.status, JSON.stringify(headers)).toBe(403);
    }
    expect((await post(app, '/auth/sign-in/email', owner)).status).toBe(200);
    const login = await call(app, 'POST', '/auth/sign-in/email', owner, {
      origin: 'https://evil.example',
    });
    expect(login.status).toBe(403);
  });

  test('needs the right password, and the number of attempts is limited', async () => {
    const owner = await signIn(app, await app.tenant());
    const guesses = [];
    for (let guess = 0; guess < 12; guess++) {
      guesses.push(
        (await post(app, '/auth/sign-in/email', { email: owner.email, password: `guess ${guess}` }))
          .status,
      );
    }
    expect(guesses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(guesses.slice(10)).toEqual([429, 429]);
    const right = await post(app, '/auth/sign-in/email', owner);
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    await app.setClock(-3_600_000);
    expect((await post(app, '/auth/sign-in/email', { ...owner, password: 'no' })).status).toBe(401);
    await app.setClock(16 * 60_000);
    expect((await post(app, '/auth/sign-in/email', owner)).status).toBe(200);
    await app.setClock(0);
  });

  test('can use only the listed routes of better-auth', async () => {
    for (const path of ['/sign-up/email', '/delete-user', '/list-sessions', '/change-email']) {
      expect((await post(app, `/auth${path}`, {})).status, path).toBe(404);
    }
  });
});

describe('a member', () => {
  test('sees another tenant, a missing tenant and an unknown path as the same 404', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const owner = await signIn(app, shop);
    const paths = ['/overview', '/api-settings', '/members', '/messages/wamid.X'];
    for (const path of paths) {
      const theirs = await owner.call('GET', path, undefined, other.slug);
      const missing = await owner.call('GET', path, undefined, 'no-such-shop');
      expect(theirs.status).toBe(404);
      expect(theirs.body).toEqual(missing.body);
    }
    const write = await owner.call(
      'PUT',
      '/api-settings',
      { api_access: false, activate: [] },
      other.slug,
    );
    expect(write.status).toBe(404);
    const nobody = await call(app, 'GET', `/dashboard-api/${shop.slug}/overview`);
    expect(nobody.status).toBe(401);
  });

  test('who is staff gets a 403 on the routes of owners', async () => {
    const shop = await app.tenant();
    const staff = await signIn(app, shop, 'staff');
    expect((await staff.call('GET', '/overview')).status).toBe(200);
    const onlyOwners = [
      ...['PUT /api-settings', 'PUT /inbound-settings', 'POST /tokens', 'POST /tokens/1/revoke'],
      ...['POST /members/invitations', 'DELETE /members/invitations/1'],
      ...['PUT /members/x', 'DELETE /members/x', 'GET /contacts/export'],
      ...['POST /numbers', 'POST /numbers/simulated', 'PUT /numbers/1', 'DELETE /numbers/1'],
      ...['PUT /webhook', 'POST /webhook/secret'],
      ...[
        'POST /stores',
        'PUT /stores/1',
        'PUT /stores/1/topics/order.created',
        'PUT /stores/1/keys',
      ],
      'DELETE /stores/1',
    ];
    for (const each of onlyOwners) {
      const [method, path] = each.split(' ') as [string, string];
      expect((await staff.call(method, path)).status, each).toBe(403);
    }
  });

  test('of two tenants is changed and removed in one only, and not by an owner of another', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const [owner, stranger] = [await signIn(app, shop), await signIn(app, other)];
    const person = await signIn(app, shop, 'staff');
    const find = async (by: TestMember) =>
      (await by.call('GET', '/members')).body.data.members.find(
        (each: { email: string }) => each.email === person.email,
      );
    const { user_id: id } = await find(owner);
    expect(await find(stranger)).toBeUndefined();
    expect((await stranger.call('PUT', `/members/${id}`, { role: 'owner' })).status).toBe(404);
    expect((await stranger.call('DELETE', `/members/${id}`)).status).toBe(404);

    const secret = await link(other.id, person.email, false, 'staff');
    const { invitations } = (await stranger.call('GET', '/members')).body.data;
    const path = `/members/invitations/${invitations[0].id}`;
    expect((await owner.call('DELETE', path)).status).toBe(404);
    expect((await owner.call('GET', '/members')).body.data.invitations).toEqual([]);
    await post(app, '/auth/invitation/accept', { secret, password: person.password });

    expect((await stranger.call('PUT', `/members/${id}`, { role: 'owner' })).status).toBe(200);
    expect([(await find(stranger)).role, (await find(owner)).role]).toEqual(['owner', 'staff']);
    expect((await stranger.call('DELETE', `/members/${id}`)).status).toBe(200);
    expect([await find(stranger), (await find(owner)).role]).toEqual([undefined, 'staff']);
  });

  test('keeps the account while another tenant has it, and loses it with the last one', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const owner = await signIn(app, shop);
    const [person, stayer] = [await signIn(app, shop, 'staff'), await signIn(app, other)];
    const { userId, email, password } = person;
    const secret = await link(other.id, email, false, 'staff');
    await post(app, '/auth/invitation/accept', { secret, password });
    await post(app, '/auth/two-factor/enable', { password }, person.cookie);
    const left = async (id: string) => {
      const { rows } = await app.db.query<{ left: string[] }>(sql`
        select array(
          select 'user' from auth."user" where id = ${id}
          union all select 'account' from auth.account where "userId" = ${id}
          union all select 'factor' from auth."twoFactor" where "userId" = ${id}
          union all select 'session' from auth.session where "userId" = ${id} limit 4) as left`);
      return new Set(rows[0]!.left);
    };
    const all = new Set(['user', 'account', 'factor', 'session']);
    expect(await left(userId)).toEqual(all);
    await stayer.call('DELETE', `/members/${userId}`);
    await pruneSignIns(app.db);
    expect(await left(userId)).toEqual(all);
    await owner.call('DELETE', `/members/${userId}`);
    await deleteTenant(app.db, other.id);
    await pruneSignIns(app.db);
    expect(await left(userId)).toEqual(new Set());
    expect(await left(stayer.userId)).toEqual(new Set());
    expect(await left(owner.userId)).not.toEqual(new Set());
  });

  test('is invited, promoted and removed by an owner, but never the last owner', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const staff = await signIn(app, shop, 'staff');
    const { members } = (await owner.call('GET', '/members')).body.data;
    const idOf = (email: string) =>
      members.find((each: { email: string }) => each.email === email).user_id;

    const alone = await owner.call('DELETE', `/members/${idOf(owner.email)}`);
    expect(alone.status).toBe(422);
    expect(alone.body.message).toBe('This is the only owner. Make another member an owner first.');
    expect(
      (await owner.call('PUT', `/members/${idOf(staff.email)}`, { role: 'owner' })).status,
    ).toBe(200);
    expect((await staff.call('DELETE', `/members/${idOf(owner.email)}`)).status).toBe(200);
    expect((await owner.call('GET', '/overview')).status).toBe(404);

    const invited = await staff.call('POST', '/members/invitations', {
      email: 'new@example.com',
      role: 'staff',
    });
    expect(invited.body.data.url).toMatch(/\/welcome#\w{43}$/);
    const id = invited.body.data.invitation.id;
    expect((await staff.call('DELETE', `/members/invitations/${id}`)).status).toBe(200);
    const secret = new URL(invited.body.data.url).hash.slice(1);
    expect((await post(app, '/auth/invitation', { secret })).status).toBe(404);
  });

  test('is removed while messages are stored in conversations that the member answers', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const staff = await signIn(app, shop, 'staff');
    const people = ['+14155550102', '+14155550101'];
    for (const phone of people) {
      await app.db.query(sql`
        insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
        values (${shop.id}, ${shop.number.id}, 'in', ${phone}, 'text', '{"text": "Hello"}', 'received')`);
      await owner.call('PUT', '/conversation', { phone, assignee: staff.userId });
    }
    // A batch of messages locks conversations in the order of their persons.
    const lock = 'select from conversations where tenant_id = $1 and person = $2 for update';
    const batch = await holdLocks(app, lock, [shop.id, '+14155550101']);
    const removal = owner.call('DELETE', `/members/${staff.userId}`);
    await lockWaiters(app);
    await batch.query(lock, [shop.id, '+14155550102']);
    await batch.query('commit');
    expect((await removal).status).toBe(200);
    const { rows } = await app.db.query(sql`
      select assignee from conversations where tenant_id = ${shop.id}`);
    expect(rows).toEqual([{ assignee: null }, { assignee: null }]);
  });

  test('who is removed by another owner at the same time cannot remove that owner', async () => {
    const shop = await app.tenant();
    const owners = [await signIn(app, shop), await signIn(app, shop), await signIn(app, shop)];
    const { members } = (await owners[2]!.call('GET', '/members')).body.data;
    const [ana, ben] = owners.slice(0, 2).map((owner) => ({
      ...owner,
      id: members.find(({ email }: { email: string }) => email === owner.email).user_id,
    }));
    const locked = 'select from members where tenant_id = $1 for update';
    const holder = await holdLocks(app, locked, [shop.id]);
    const removals = [
      ana!.call('DELETE', `/members/${ben!.id}`),
      ben!.call('DELETE', `/members/${ana!.id}`),
    ];
    await lockWaiters(app, { count: 2 });
    await holder.query('commit');
    const statuses = (await Promise.all(removals)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 403]);
    expect((await owners[2]!.call('GET', '/members')).body.data.members).toHaveLength(2);
  });
});

describe('a token generated in the dashboard', () => {
  test('works only once the settings are saved', async () => {
    const shop = await app.tenant({ abilities: ['contacts:read'] });
    const owner = await signIn(app, shop);
    await owner.call('PUT', '/api-settings', { api_access: false, activate: [] });
    const made = await owner.call('POST', '/tokens', {
      name: 'Shop server',
      abilities: ['messages:text'],
    });
    const { value, token } = made.body.data;
    expect(token).toMatchObject({ state: 'pending', hint: value.slice(-4) });
    const send = () =>
      call(
        app,
        'POST',
        `/api/${shop.slug}/messages/send`,
        { phone_number: '+14155550123', type: 'text', message: 'Hello' },
        { authorization: `Bearer ${value}` },
      );
    expect((await send()).status).toBe(401);
    const saved = await owner.call('PUT', '/api-settings', {
      api_access: true,
      activate: [token.id],
    });
    expect(saved.body.data.tokens.at(-1).state).toBe('active');
    expect(JSON.stringify(saved.body)).not.toContain(value);
    expect((await send()).status).toBe(200);

    await owner.call('POST', `/tokens/${token.id}/revoke`);
    await app.moveClock(1_000);
    expect((await send()).status).toBe(401);
    await app.setClock(0);
  });
});
