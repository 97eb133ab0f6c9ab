import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../../test/database/locks.ts';
import { rowsOfTenant } from '../../../../test/features/rows-of-tenant.ts';
import { call, testApp } from '../../../../test/program/app.ts';
import { spawnParley } from '../../../../test/program/bin-parley.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { fillInstallation } from '../../../../test/upgrades/fill-installation.ts';
import { tenantCommands } from './tenant.ts';

const app = testApp();
const { run, parley } = testCommand(app, tenantCommands);

test('unknown phones that send a message become contacts unless the tenant turns this off', async () => {
  const shop = await app.tenant({ number: false });
  expect((await parley('show', shop.slug)).tenant.contacts_from_inbound).toBe(true);
  const { tenant } = await parley('set-inbound-contacts', shop.slug, 'off');
  expect(tenant).toMatchObject({ slug: shop.slug, contacts_from_inbound: false });
  expect(await run('show', shop.slug)).toContain(
    'An unknown phone that sends a message becomes no contact.',
  );
  expect(await run('set-inbound-contacts', shop.slug, 'on')).toContain('becomes a contact');
  expect((await parley('list')).tenants).toMatchObject([{ contacts_from_inbound: true }]);
  await expect(run('set-inbound-contacts', shop.slug, 'maybe')).rejects.toThrow('on, off');
});

test('the operator stops all requests of a tenant, and lets them through again', async () => {
  const shop = await app.tenant({ number: false });
  const status = async () => (await shop.call('GET', '/contacts')).status;
  expect(await status()).toBe(200);
  expect(await run('set-api-access', shop.slug, 'off')).toContain('get a 401');
  await eventually(async () => (await status()) === 401);
  expect(await run('show', shop.slug)).toMatch(/^API access +off$/m);
  expect((await parley('set-api-access', shop.slug, 'on')).tenant.api_access).toBe(true);
  await eventually(async () => (await status()) === 200);
});

test('a tenant keeps received files for a number of days', async () => {
  const shop = await app.tenant({ number: false });
  expect(await run('show', shop.slug)).toContain('Files of received messages are not kept.');
  expect((await parley('set-keep-files', shop.slug, '90')).tenant.keep_files_days).toBe(90);
  expect(await run('show', shop.slug)).toContain('kept for 90 days.');
  for (const days of ['-1', '3651', '1.5', 'many', '']) {
    await expect(run('set-keep-files', shop.slug, days)).rejects.toThrow('0 to 3650');
  }
  await app.db.pool.query('insert into media_folders (id) values (gen_random_uuid())');
  await expect(run('set-keep-files', shop.slug, '30')).rejects.toThrow('PARLEY_MEDIA_BUCKET');
  expect((await parley('set-keep-files', shop.slug, '0')).tenant.keep_files_days).toBe(0);
  await app.db.pool.query('delete from media_folders');
});

test('the messages of a tenant are kept for a shorter time than those of the installation, and no longer', async () => {
  const shop = await app.tenant({ number: false });
  expect(await run('show', shop.slug)).toContain('Messages are kept as long as their contact.');
  const set = (days: string) => parley('set-message-retention', shop.slug, days);
  expect((await set('90')).tenant.message_retention_days).toBe(90);
  expect(await run('show', shop.slug)).toContain('Messages are kept for 90 days.');
  vi.stubEnv('PARLEY_MESSAGE_RETENTION_DAYS', '30');
  expect(await run('show', shop.slug)).toContain(
    'Messages are kept for 30 days, which PARLEY_MESSAGE_RETENTION_DAYS allows, and not for 90.',
  );
  vi.stubEnv('PARLEY_MESSAGE_RETENTION_DAYS', '0');
  for (const days of ['0', '36501', '1.5', 'many', '']) {
    await expect(run('set-message-retention', shop.slug, days)).rejects.toThrow(
      '1 to 36500, or "default"',
    );
  }
  expect((await set('default')).tenant.message_retention_days).toBe(null);
});

test('the region is set by parts, and "browser" takes the time zone away', async () => {
  const shop = await app.tenant({ number: false });
  const set = async (...options: string[]) => {
    const { locale, time_zone } = (await parley('set-region', shop.slug, ...options)).tenant;
    return [locale, time_zone];
  };
  expect(await set('--time-zone', 'Asia/Tokyo')).toEqual(['en-GB', 'Asia/Tokyo']);
  expect(await set('--locale', 'ja')).toEqual(['ja', 'Asia/Tokyo']);
  expect(await run('show', shop.slug)).toContain('written as in ja, in Asia/Tokyo.');
  expect(await set('--time-zone', 'browser')).toEqual(['ja', null]);
  await expect(run('set-region', shop.slug)).rejects.toThrow('Name a --locale');
  await expect(run('set-region', shop.slug, '--locale', '?')).rejects.toThrow('known language');
});

test('a tenant is one line of the list, even with a name from a time of laxer rules', async () => {
  await app.db.pool.query('delete from tenants');
  const name = 'Acme\nevil  Evil Ltd\u001b[8m';
  await parley('create', 'acme', '--name', 'Acme');
  await app.db.pool.query('update tenants set name = $1', [name]);
  const [{ id, ...tenant }] = (await parley('list')).tenants;
  expect(tenant).toMatchObject({ name });
  expect(await run('list')).toMatch(
    new RegExp(`^ID .*\n${id} +acme +Acme evil Evil Ltd\ufffd\\[8m +starter +off.*\n$`),
  );
  expect(await run('show', 'acme')).toMatch(new RegExp(`^id +${id}$`, 'm'));
});

test('large amounts of data are deleted before the tenant, so that nobody waits for all of it', async () => {
  const shop = await app.tenant();
  await app.db.pool.query(
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status, created_at)
     select $1, $2, 'out', '+14155550123', 'text', '{"text":"Hello"}', 'delivered', now()
     from generate_series(1, 2500)`,
    [shop.id, shop.number.id],
  );
  const locked = 'select from tokens where tenant_id = $1 for update';
  const other = await holdLocks(app, locked, [shop.id]);
  const deleted = run('delete', shop.slug, '--yes');
  await eventually(async () => {
    const sql = 'select from stored_messages where tenant_id = $1 limit 1';
    return (await app.db.pool.query(sql, [shop.id])).rows.length === 0;
  });
  const rest = 'select api_access from tenants where id = $1';
  expect((await app.db.pool.query(rest, [shop.id])).rows).toEqual([{ api_access: false }]);
  await other.query('commit');
  expect(await deleted).toContain('everything it owned');
  expect((await app.db.pool.query(rest, [shop.id])).rows).toEqual([]);
});

/** Tables with a few rows for each number, member, store, token or webhook, or for each day of them. */
const small = [
  'bots',
  'contact_bulk_changes',
  'contact_counts',
  'contact_imports',
  'conversation_watches',
  'delivery_usage',
  'event_logs',
  'groups',
  'invitations',
  'members',
  'numbers',
  'rejected_events',
  'sources',
  'statuses',
  'store_topics',
  'stores',
  'template_syncs',
  'templates',
  'token_days',
  'token_usage',
  'tokens',
  'unconnected_numbers',
  'webhooks',
];

test('the last statement of a deletion deletes only from small tables', async () => {
  const { slug, token } = await fillInstallation(app);
  // Requests are logged within a second, the earlier ones first.
  const headers = { authorization: `Bearer ${token}` };
  await call(app, 'GET', `/api/${slug}/statuses/4711`, undefined, headers);
  await eventually(async () => {
    const last = `select from api_requests where path = '/statuses/4711'`;
    return (await app.db.pool.query(last)).rows.length === 1;
  });
  const other = await holdLocks(app, 'select from tokens for update');
  const deleted = run('delete', slug, '--yes');
  await lockWaiters(app, { like: 'delete from tenants%' });
  const left = Object.keys(await rowsOfTenant(app, slug));
  expect(left.filter((table) => !small.includes(table))).toEqual([]);
  await other.query('commit');
  await deleted;
});

test('an interrupted deletion reports its state, and can be repeated', async () => {
  const { slug, id } = await app.tenant({ number: false });
  const other = await holdLocks(app, 'select from tenants where id = $1 for update', [id]);
  const deleting = spawnParley(['tenant', 'delete', slug, '--yes']);
  const ended = once(deleting, 'close');
  await lockWaiters(app, { like: '%from tenants where id%for no key update%' });
  deleting.kill('SIGINT');
  const [output] = await once(deleting.stderr, 'data');
  // Locked until then, so that it cannot finish after all.
  const end = await ended;
  await other.query('commit');
  expect(String(output)).toBe(
    `Some data of ${slug} may be deleted, and its API access is off. Run the command again to delete the rest.\n`,
  );
  expect(end).toEqual([null, 'SIGINT']);
  expect(await run('delete', slug, '--yes')).toContain('everything it owned');
});

test('a tenant is deleted even if a send and the deletion deadlock', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550123',
    type: 'text',
    message: 'Hello',
  });
  const counted = 'update token_days set messages = messages + 1 where tenant_id = $1';
  const send = await holdLocks(app, counted, [shop.id]);
  const deleted = run('delete', shop.slug, '--yes');
  await lockWaiters(app, { like: 'delete from tenants%' });
  // PostgreSQL ends one of the two.
  await send
    .query('select from tokens where tenant_id = $1 for key share', [shop.id])
    .catch(() => {});
  await send.query('commit');
  expect(await deleted).toContain('everything it owned');
});
