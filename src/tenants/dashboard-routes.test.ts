import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { control } from '../../test/servers/control.ts';
import { findTenant } from './queries.ts';

const app = testApp();

/** Spellings of a number that are not valid as an id. */
const spellingsOf = (id: number) => [
  `0x${id.toString(16)}`,
  `%20${id}`,
  `${id}%0a`,
  `0${id}`,
  `+${id}`,
  `${id}.0`,
  `${id}e0`,
  '1e21',
  '9'.repeat(30),
];

test('an id in a path has digits only', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const made = await owner.call('POST', '/tokens', { name: 'x', abilities: ['all'] });
  const invite = { email: 'friend@example.com', role: 'staff' };
  const invited = await owner.call('POST', '/members/invitations', invite);
  for (const id of spellingsOf(made.body.data.token.id)) {
    expect((await owner.call('POST', `/tokens/${id}/revoke`)).status, id).toBe(404);
  }
  for (const id of spellingsOf(invited.body.data.invitation.id)) {
    expect((await owner.call('DELETE', `/members/invitations/${id}`)).status, id).toBe(404);
  }
  const { tokens } = (await owner.call('GET', '/api-settings')).body.data;
  expect(tokens.at(-1)).toMatchObject({ name: 'x', state: 'pending' });
  expect((await owner.call('GET', '/members')).body.data.invitations).toHaveLength(1);
});

test('only an owner of its tenant can generate, activate and revoke a token', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const [owner, staff] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const stranger = await signIn(app, other);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const asked = { name: 'x', abilities: ['all'], expires_at };
  for (const unreadable of ['2026-12-31T23:59:60Z', '2026-12-31T23:59:00+01', 'tomorrow']) {
    const refused = await owner.call('POST', '/tokens', { ...asked, expires_at: unreadable });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['expires_at']]);
  }
  const { id } = (await owner.call('POST', '/tokens', asked)).body.data.token;
  const token = async () =>
    (await owner.call('GET', '/api-settings')).body.data.tokens.find(
      (each: { id: number }) => each.id === id,
    );
  const activate = { api_access: true, activate: [id] };
  expect((await staff.call('POST', '/tokens', asked)).status).toBe(403);
  expect((await staff.call('PUT', '/api-settings', activate)).status).toBe(403);
  expect((await stranger.call('PUT', '/api-settings', activate)).status).toBe(200);
  expect((await token()).state).toBe('pending');
  await owner.call('PUT', '/api-settings', activate);
  expect((await token()).state).toBe('active');

  expect((await staff.call('POST', `/tokens/${id}/revoke`)).status).toBe(403);
  expect((await stranger.call('POST', `/tokens/${id}/revoke`)).status).toBe(404);
  await app.moveClock(3_600_000);
  expect((await token()).state).toBe('expired');
  const revoked = await owner.call('POST', `/tokens/${id}/revoke`);
  expect(revoked.body.data.state).toBe('revoked');
  const again = await owner.call('POST', `/tokens/${id}/revoke`);
  expect(again.body.data).toEqual(revoked.body.data);
});

test('activating a token needs a valid id', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  for (const id of [1e21, 0, -1, 1.5, '1', null]) {
    const saved = await owner.call('PUT', '/api-settings', { api_access: false, activate: [id] });
    expect(saved.status, String(id)).toBe(422);
    expect(saved.body.errors).toHaveProperty('activate');
  }
  expect((await owner.call('GET', '/api-settings')).body.data.api_access).toBe(true);
});

test('an owner decides whether messages from unknown phones create contacts', async () => {
  const shop = await app.tenant();
  const [owner, staff] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const settings = async () => (await staff.call('GET', '/inbound-settings')).body.data;
  const none = {
    message_retention_days: null,
    max_message_retention_days: 0,
    keep_files_days: 0,
    can_keep_files: true,
    kept_files: 0,
    kept_bytes: 0,
  };
  expect(await settings()).toEqual({ contacts_from_inbound: true, ...none });
  const off = { contacts_from_inbound: false };
  expect((await staff.call('PUT', '/inbound-settings', off)).status).toBe(403);
  expect((await owner.call('PUT', '/inbound-settings', {})).status).toBe(422);

  for (const keep_files_days of [-1, 3_651, 1.5, '7', null]) {
    expect((await owner.call('PUT', '/inbound-settings', { keep_files_days })).status).toBe(422);
  }

  expect((await owner.call('PUT', '/inbound-settings', off)).body.data).toEqual({
    ...off,
    ...none,
  });
  expect(await settings()).toEqual({ ...off, ...none });
  await write(shop, '+14155550111');
  expect((await shop.call('GET', '/contacts')).body.data).toEqual([]);

  const others = { plan: 'enterprise', name: 'Other', locale: 'x' };
  const before = await findTenant(app.db, shop.slug);
  await owner.call('PUT', '/inbound-settings', { contacts_from_inbound: true, ...others });
  expect(await findTenant(app.db, shop.slug)).toEqual({ ...before, contacts_from_inbound: true });
  await write(shop, '+14155550111');
  expect((await shop.call('GET', '/contacts')).body.data).toMatchObject([
    { phone: '+14155550111' },
  ]);
});

test('an owner sets the language and the time zone, which the session of every member has', async () => {
  const shop = await app.tenant({ number: false });
  const [owner, staff] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const set = (locale: string, time_zone: string | null) =>
    owner.call('PUT', '/region', { locale, time_zone });
  const { rows } = await app.db.query(sql`
    select locale, time_zone from tenants where id = ${shop.id}`);
  expect(rows).toEqual([{ locale: 'en-GB', time_zone: null }]);

  const saved = await set('de-at', 'europe/vienna');
  expect(saved.body.data).toEqual({ locale: 'de-AT', time_zone: 'Europe/Vienna' });
  const staffPut = await staff.call('PUT', '/region', { locale: 'en', time_zone: null });
  expect(staffPut.status).toBe(403);

  const locale = ['must be the tag of a known language, such as en-GB or de'];
  const time_zone = ['must be the name of a known time zone, such as Europe/Berlin'];
  expect((await set('not a tag', 'Mars/Olympus')).body.errors).toEqual({ locale, time_zone });
  expect((await set('xx', null)).body.errors).toEqual({ locale });
  expect((await set('en', '+01:00')).body.errors).toEqual({ time_zone });
  expect((await set('ar', null)).body.data).toEqual({ locale: 'ar', time_zone: null });
});

/** Sends a message from a phone to the tenant's number, and resolves when it is stored. */
async function write(shop: TestTenant, from: string): Promise<void> {
  const received = async () => {
    const { rows } = await app.db.query<{ count: number }>(sql`
      select count(*)::int as count from stored_messages
      where tenant_id = ${shop.id} and direction = 'in'`);
    return rows[0]!.count;
  };
  const before = await received();
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from,
    text: 'Hello',
  });
  await eventually(async () => (await received()) > before);
}

test('a tenant can generate at most 200 usable tokens, and sees only the latest that ended', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  await app.db.query(sql`
    insert into tokens (tenant_id, name, hash, hint, abilities, revoked_at, expires_at)
    select ${shop.id}::bigint, n::text, sha256((${shop.slug}::text || n)::bytea), '', '{}',
           case when n <= 150 then now() end,
           case when n between 151 and 300 then now() end
    from generate_series(1, 499) as n`);
  const generate = () => owner.call('POST', '/tokens', { name: 'x', abilities: ['all'] });
  const refused = await generate();
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { name: ['cannot be added: the tenant has 200 tokens, the maximum. Revoke those not in use.'] },
  ]);
  const { tokens } = (await owner.call('GET', '/api-settings')).body.data;
  const ended = tokens.filter(({ state }: { state: string }) => /revoked|expired/.test(state));
  expect([tokens.length, ended.length]).toEqual([400, 200]);
  await owner.call('POST', `/tokens/${tokens.at(-1).id}/revoke`);
  expect((await generate()).status).toBe(200);
});

test('an owner decides how long messages are kept, which is no longer than the installation keeps them', async () => {
  const shop = await app.tenant();
  const [owner, staff] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const set = (days: unknown) =>
    owner.call('PUT', '/inbound-settings', { message_retention_days: days });
  const settings = async () => (await staff.call('GET', '/inbound-settings')).body.data;
  const refused = await staff.call('PUT', '/inbound-settings', { message_retention_days: 90 });
  expect(refused.status).toBe(403);
  for (const days of [0, -1, 36_501, 1.5, '7']) expect((await set(days)).status).toBe(422);
  expect((await set(90)).body.data.message_retention_days).toBe(90);
  expect(await settings()).toMatchObject({ message_retention_days: 90, keep_files_days: 0 });

  const { config } = app.services;
  const { messageRetentionDays } = config;
  onTestFinished(() => void Object.assign(config, { messageRetentionDays }));
  Object.assign(config, { messageRetentionDays: 365 });
  expect((await set(366)).body.errors).toEqual({ message_retention_days: ['must be at most 365'] });
  expect((await set(365)).status).toBe(200);
  expect((await set(null)).body.data).toMatchObject({
    message_retention_days: null,
    max_message_retention_days: 365,
  });
});
