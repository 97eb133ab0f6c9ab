import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { createTestDatabase } from '../../test/database/database.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { cheapPasswords } from '../../test/features/cheap-passwords.ts';
import { keepFile, readKeptFiles } from '../../test/features/keep-file.ts';
import { rowsOfTenant } from '../../test/features/rows-of-tenant.ts';
import { cookieOf, openSession, post, signIn } from '../../test/features/sign-in.ts';
import {
  databaseSettings,
  openTestApp,
  type TestApp,
  type TestTenant,
  testApp,
} from '../../test/program/app.ts';
import { spawnParley } from '../../test/program/bin-parley.ts';
import { testCommand } from '../../test/program/command.ts';
import { startBucket } from '../../test/servers/bucket.ts';
import { fillInstallation } from '../../test/upgrades/fill-installation.ts';
import { storeCommands } from '../cli/commands/stores/store.ts';
import { tenantCommands } from '../cli/commands/tenants/tenant.ts';
import { describeRows } from '../cli/commands/tenants/tenant-move.ts';
import { readConfig } from '../config.ts';
import { createContactIfAbsent } from '../contacts/writing/upsert-contact.ts';
import { pruneEvents } from '../events/log/prune-events.ts';
import { announceFolder } from '../media/kept/media-folders.ts';
import { removeKeptFiles } from '../media/kept/remove-kept-files.ts';
import { createStorage } from '../media/storage/storage.ts';
import { inviteMember } from '../members/invite-member.ts';
import { pruneMessages } from '../messages/conversations/prune-messages.ts';
import { countTroubles } from '../metrics/queries.ts';
import { claimDueCheck } from '../numbers/checking/queries.ts';
import { listNumberProblems } from '../numbers/state/problem-queries.ts';
import { countOutcomes } from '../overview/queries.ts';
import { rollUpMessages } from '../overview/roll-up-messages.ts';
import { holdLockClass, schemaLockClass } from '../platform/database/advisory-locks.ts';
import { schemaVersion } from '../platform/migrating/schema-version.ts';
import { pruneRequests } from '../requests/prune-requests.ts';
import type { Services } from '../services.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { listSwitchedOff } from '../webhooks/queries.ts';
import { listFullQuotas } from '../webhooks/quota/quota-queries.ts';
import { setWebhook } from '../webhooks/set-webhook.ts';
import { cancelMove } from './cancel-move.ts';
import { confirmMove } from './confirm-move.ts';
import { isCopiedEarly } from './copying/early-tables.ts';
import { movesChannel } from './holding/tenant-holds.ts';
import { markMoved } from './mark-moved.ts';
import type { Cells } from './move-session.ts';
import { type MoveStep, moveTenant } from './move-tenant.ts';
import { createProxy } from './proxy/proxy.ts';

cheapPasswords();
let folder: string;
const one = testApp({ PARLEY_CELL: 'one' });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-cells-'));
});
const two = {} as TestApp;
let closeTwo: () => Promise<void>;
/** The changes that the proxy was asked for. */
const routes: string[] = [];
let cells: Cells;
const environment = () => ({
  PARLEY_CELL: 'one',
  PARLEY_DATA_DIR: one.services.config.dataDir,
  PARLEY_CELLS_DIR: folder,
  PARLEY_PROXY_MAPS: folder,
});
const { run, parley } = testCommand(one, tenantCommands, environment);
const store = testCommand(one, storeCommands, environment);

beforeAll(async () => {
  const database = await createTestDatabase();
  closeTwo = await openTestApp(two, { database, settings: { PARLEY_CELL: 'two' } });
  const neighbour = await two.tenant();
  await neighbour.call('POST', '/contacts', { firstname: 'Grace', phone: '+14155550100' });
  cells = {
    here: one.services,
    there: two.services,
    proxy: {
      check: async () => {},
      hold: async ({ slug }) => void routes.push(`${slug} waits`),
      route: async ({ slug }, cell) => void routes.push(`${slug} ${cell}`),
    },
  };
  // As `parley serve` does.
  for (const { services } of [one, two]) {
    await announceFolder(services);
    await services.db.lockForLife(schemaLockClass, schemaVersion);
    await services.holds.watch();
  }
});
afterAll(async () => {
  one.services.holds.close();
  two.services.holds.close();
  await closeTwo();
  await rm(folder, { recursive: true });
});

class Killed extends Error {}

/** Ends the move after a step, as `kill -9` does. */
function killedAfter(last: MoveStep) {
  return (step: MoveStep) => {
    if (step === last) throw new Killed(step);
  };
}

/** Creates a contact of a tenant in an installation. The token is the same in both. */
async function write(which: TestApp, tenant: TestTenant, phone: string) {
  const response = await which.app.inject({
    method: 'POST',
    url: `/api/${tenant.slug}/contacts`,
    headers: { authorization: `Bearer ${tenant.token}` },
    payload: { firstname: 'Ada', phone },
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

/** In which of the installations a tenant can be written to. */
async function servingCells(tenant: TestTenant, phone: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, which] of Object.entries({ one, two })) {
    const { status, headers, body } = await write(which, tenant, phone);
    if (status === 200 || status === 422) found.push(name);
    else if (status === 500)
      expect([body.code, headers['retry-after']]).toEqual(['tenant_moving', '2']);
    else {
      expect([401, 404]).toContain(status);
      // Only a cell that does not have the tenant may answer so.
      expect(await rowsOfTenant(which, tenant.slug)).toEqual({});
    }
  }
  return found;
}

async function countContacts({ db }: TestApp, slug: string): Promise<number> {
  const { rows } = await db.pool.query(
    `select count(*)::int as count from contacts join tenants on tenants.id = tenant_id where slug = $1`,
    [slug],
  );
  return rows[0].count;
}

test('a move that is killed after any step leaves the tenant in one cell, and goes on', async () => {
  const shop = await one.tenant();
  const written = new Set<string>();
  const steps: [MoveStep, string[]][] = [
    ['copying', ['one']],
    ['held', []],
    ['copied', []],
    ['moved', []],
    ['serving', ['two']],
  ];
  for (const [index, [step, serving]] of steps.entries()) {
    const phone = `+1415555010${index}`;
    const killed = moveTenant(cells, { slug: shop.slug, onStep: killedAfter(step) });
    await expect(killed).rejects.toThrow(Killed);
    await eventually(async () => `${await servingCells(shop, phone)}` === `${serving}`);
    if (serving.length > 0) written.add(phone);
  }
  await moveTenant(cells, { slug: shop.slug });
  expect(routes.at(-1)).toBe(`${shop.slug} two`);
  expect(await countContacts(two, shop.slug)).toBe(written.size);
  await confirmMove(cells, shop.slug);
  expect(await servingCells(shop, '+14155550199')).toEqual(['two']);
  await expect(confirmMove(cells, shop.slug)).rejects.toThrow('There is no tenant');
});

test('a move can be cancelled until it is decided, and leaves nothing behind', async () => {
  const shop = await one.tenant();
  await expect(cancelMove(cells, shop.slug)).rejects.toThrow('is not being moved');
  for (const step of ['held', 'copied'] as const) {
    const killed = moveTenant(cells, { slug: shop.slug, onStep: killedAfter(step) });
    await expect(killed).rejects.toThrow(Killed);
    await expect(confirmMove(cells, shop.slug)).rejects.toThrow('has not moved yet');
    await cancelMove(cells, shop.slug);
    expect(routes.at(-1)).toBe(`${shop.slug} one`);
    await eventually(async () => `${await servingCells(shop, '+14155550102')}` === 'one');
    expect(await rowsOfTenant(two, shop.slug)).toEqual({});
  }
  await moveTenant(cells, { slug: shop.slug });
  await expect(cancelMove(cells, shop.slug)).rejects.toThrow('has moved to two');
});

test('a tenant can move back to the cell in which it was deleted, with the passwords and second factors of the other one', async () => {
  const shop = await one.tenant();
  const hello = { type: 'text', phone_number: '+14155550123', message: 'Hello.' };
  expect((await shop.call('POST', '/messages/send', hello)).status).toBe(200);
  const { email, password, userId } = await signIn(one, shop);
  const home = await one.tenant();
  const other = await signIn(one, home);
  await one.db.pool.query('insert into members (tenant_id, user_id, role) values ($1, $2, $3)', [
    shop.id,
    other.userId,
    'staff',
  ]);
  await moveTenant(cells, { slug: shop.slug });
  await confirmMove(cells, shop.slug);
  const cookie = await openSession(two, email, password);
  const newPassword = 'chosen in the other cell';
  const change = { currentPassword: password, newPassword };
  expect((await post(two, '/auth/change-password', change, cookie)).status).toBe(200);
  await two.db.pool.query(`update auth."user" set "twoFactorEnabled" = true where "id" = $1`, [
    userId,
  ]);
  const back = { ...cells, here: cells.there, there: cells.here };
  await moveTenant(back, { slug: shop.slug });
  await confirmMove(back, shop.slug);
  await eventually(async () => `${await servingCells(shop, '+14155550123')}` === 'one');
  expect((await shop.call('GET', '/messages')).body.data).toHaveLength(1);
  const enter = (with_: string, as = email) =>
    post(one, '/auth/sign-in/email', { email: as, password: with_ });
  expect((await enter(password)).status).toBe(401);
  expect((await enter(newPassword)).body.data.twoFactorRedirect).toBe(true);
  // This account was used here meanwhile, for another tenant.
  expect((await enter(other.password, other.email)).status).toBe(200);
  const session = await one.app.inject({ url: '/auth/session', headers: { cookie: other.cookie } });
  expect(session.json().data.tenants).toHaveLength(2);
});

test('an account that the other cell knows gets the newer password and the second factor, and signs in again', async () => {
  const first = await one.tenant();
  const second = await one.tenant();
  const { email, password, userId, cookie } = await signIn(one, first);
  await one.db.pool.query('insert into members (tenant_id, user_id, role) values ($1, $2, $3)', [
    second.id,
    userId,
    'owner',
  ]);
  await moveTenant(cells, { slug: first.slug });
  const there = await openSession(two, email, password);
  const newPassword = 'chosen after the first move';
  const factor = await post(one, '/auth/two-factor/enable', { password }, cookie);
  expect(factor.status).toBe(200);
  await one.db.pool.query(`update auth."user" set "twoFactorEnabled" = true where "id" = $1`, [
    userId,
  ]);
  const change = { currentPassword: password, newPassword };
  expect((await post(one, '/auth/change-password', change, cookie)).status).toBe(200);

  await moveTenant(cells, { slug: second.slug });
  const enter = (with_: string) => post(two, '/auth/sign-in/email', { email, password: with_ });
  expect((await enter(password)).status).toBe(401);
  const entered = await enter(newPassword);
  expect(entered.body.data.twoFactorRedirect).toBe(true);
  const session = await two.app.inject({ url: '/auth/session', headers: { cookie: there } });
  expect(session.json().data).toBe(null);
  const code = { code: factor.body.data.backupCodes[0] };
  const verified = await post(two, '/auth/two-factor/verify-backup-code', code, cookieOf(entered));
  expect(verified.status).toBe(200);
  await confirmMove(cells, first.slug);
  await confirmMove(cells, second.slug);
});

test('an invitation cannot be accepted in the old cell, and can in the new one', async () => {
  const shop = await one.tenant();
  const email = 'invited@example.com';
  const { url } = await inviteMember(one.services, shop.id, { email, byOperator: false });
  const secret = new URL(url).hash.slice(1);
  const refused = { status: 500, headers: { 'retry-after': '2' }, body: { code: 'tenant_moving' } };
  const read = (which: TestApp) => post(which, '/auth/invitation', { secret });
  const accept = (which: TestApp) =>
    post(which, '/auth/invitation/accept', { secret, password: 'correct horse battery' });
  await expect(
    moveTenant(cells, { slug: shop.slug, onStep: killedAfter('copied') }),
  ).rejects.toThrow(Killed);
  expect((await read(one)).body.data.email).toBe(email);
  expect(await accept(one)).toMatchObject(refused);
  await moveTenant(cells, { slug: shop.slug });
  await eventually(async () => (await read(one)).status === 500);
  expect(await read(one)).toMatchObject(refused);
  expect(await accept(one)).toMatchObject(refused);
  await eventually(async () => (await accept(two)).status === 200);
  expect((await rowsOfTenant(two, shop.slug)).members).toHaveLength(1);
  expect((await rowsOfTenant(one, shop.slug)).members).toBe(undefined);
});

test('a process that loses the database while it acknowledges a hold does so later', async () => {
  const shop = await one.tenant({ number: false });
  const id = 1_234_567;
  const lock = [holdLockClass, id];
  const other = await holdLocks(one, 'select pg_advisory_xact_lock($1, $2)', lock);
  await one.db.pool.query(
    `insert into tenant_moves (tenant_id, id, state, other_cell, held_at) values ($1, $2, 'held', 'two', now())`,
    [shop.id, id],
  );
  await one.db.pool.query(`select pg_notify($1, '')`, [movesChannel]);
  const [waiter] = await lockWaiters(one, { lock: 'advisory' });
  await one.db.pool.query('select pg_terminate_backend($1)', [waiter]);
  await eventually(async () => {
    const { rows } = await one.db.pool.query('select from pg_stat_activity where pid = $1', [
      waiter,
    ]);
    return rows.length === 0;
  });
  await other.query('commit');
  await eventually(async () => {
    const { rows } = await one.db.pool.query(
      `select from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
      lock,
    );
    return rows.length > 0;
  });
  await one.db.pool.query('delete from tenant_moves where tenant_id = $1', [shop.id]);
});

test('all rows move, those that change meanwhile too, also from another master key', async () => {
  const access = await fillInstallation(one);
  const { pool } = one.db;
  const { rows } = await pool.query('select id from tenants where slug = $1', [access.slug]);
  await moveTenant(
    {
      ...cells,
      proxy: {
        ...cells.proxy,
        // Called between the copy that is made early and the hold.
        hold: async () => {
          await pool.query(
            `delete from messages where id = (select min(id) from messages where tenant_id = $1)`,
            [rows[0].id],
          );
          await pool.query(
            `update message_states set read_at = now(), status = 'read' where tenant_id = $1`,
            [rows[0].id],
          );
        },
      },
    },
    { slug: access.slug },
  );
  // These are gathered for seconds before they are added, and the move does not wait for them.
  const here = await rowsOfTenant(one, access.slug);
  for (const gathered of ['token_usage', 'tokens', 'api_requests']) delete here[gathered];
  const there = await rowsOfTenant(two, access.slug);
  expect(there).toMatchObject({
    ...here,
    audit_entries: expect.arrayContaining(here.audit_entries!),
  });
  for (const action of ['tenant.moving', 'tenant.moved']) {
    expect(there.audit_entries!.filter((row) => row.includes(`,${action},`))).toHaveLength(1);
  }
  // Keyed with the master key of the old cell.
  const { rows: keys } = await two.db.pool.query(
    `select fingerprint from idempotency_keys where tenant_id = (select id from tenants where slug = $1)`,
    [access.slug],
  );
  expect(keys).not.toEqual([]);
  for (const { fingerprint } of keys) expect(fingerprint).toHaveLength(0);
  const [file] = await readKeptFiles(two.services, access.slug);
  expect(String(file?.content)).toBe('Ring the bell twice.');
});

test('many rows are copied in slices while the tenant serves, and what changes meanwhile follows', async () => {
  const shop = await one.tenant();
  const { pool } = one.db;
  await pool.query(
    `with made as (
       insert into messages (tenant_id, number_id, direction, person, kind, content)
       select $1, $2, 'out', '+14155550100', 'text', '{"text": "Hello"}' from generate_series(1, 1200)
       returning *
     )
     insert into message_states (tenant_id, message_id, created_at, status, network_id)
     select tenant_id, id, created_at, 'sent', 'wamid.' || id from made`,
    [shop.id, shop.number.id],
  );
  // The move waits for its end before it holds the tenant.
  await pool.query(
    `insert into contact_bulk_changes (tenant_id, up_to_id, contacts, filter, change)
     values ($1, 0, 0, '{}', '{}')`,
    [shop.id],
  );
  const slices: number[] = [];
  let before = 0;
  let expected = 0;
  const { promise: isBehind, resolve: copiedFirst } = Promise.withResolvers<void>();
  const moving = moveTenant(cells, {
    slug: shop.slug,
    onRows: (copied, estimate) => {
      slices.push(copied - before);
      before = copied;
      expected = estimate;
      if (copied > 2400) copiedFirst();
    },
  });
  await isBehind;
  await pool.query(`update message_states set status = 'read' where tenant_id = $1`, [shop.id]);
  await pool.query(`update contact_bulk_changes set state = 'done' where tenant_id = $1`, [
    shop.id,
  ]);
  const { copied } = await moving;
  expect(expected).toBeGreaterThan(0);
  // The copy was behind, and has caught up before the hold.
  expect(copied?.heldRows).toBeLessThan(1200);
  expect(slices.filter((rows) => rows >= 200)).toEqual([1000, 200, 1000, 200]);
  for (const table of ['messages', 'message_states'] as const) {
    const rows = (await rowsOfTenant(two, shop.slug))[table];
    expect(rows).toHaveLength(1200);
    expect(rows).toEqual((await rowsOfTenant(one, shop.slug))[table]);
  }
});

test('contacts, labels and conversations are copied while the tenant serves, and each change meanwhile follows', async () => {
  const shop = await one.tenant();
  const { pool } = one.db;
  const create = async (path: string, body: object): Promise<number> => {
    const { status, body: response } = await shop.call('POST', path, body);
    expect(status, JSON.stringify(response)).toBe(200);
    return response.data.id;
  };
  const { userId } = await signIn(one, shop);
  const [first, second, gone] = [
    await create('/statuses', { name: 'First' }),
    await create('/statuses', { name: 'Second' }),
    await create('/statuses', { name: 'Gone' }),
  ];
  const news = await create('/groups', { name: 'News' });
  const sport = await create('/groups', { name: 'Sport' });
  const contacts: number[] = [];
  for (const [index, status_id] of [first, second, gone, gone, first, second].entries()) {
    const phone = `+1415555010${index}`;
    contacts.push(
      await create('/contacts', {
        ...{ firstname: 'Ada', phone, external_id: `customer ${index}` },
        ...{ status_id, group_ids: [news, sport] },
      }),
    );
    const hello = { type: 'text', phone_number: phone, message: 'Hello.' };
    expect((await shop.call('POST', '/messages/send', hello)).status).toBe(200);
  }
  await pool.query(
    `insert into numbers (tenant_id, simulator, phone_number_id, business_account_id, callback_id, verify_token)
     values ($1, true, $2, '1', $2, 'secret')`,
    [shop.id, `second of ${shop.slug}`],
  );
  await pool.query(`update numbers set is_default = (id <> $2) where tenant_id = $1`, [
    shop.id,
    shop.number.id,
  ]);
  await pool.query(
    `insert into conversation_windows (tenant_id, person, number_id, last_inbound_at)
     select tenant_id, person, number_id, now() from conversations where tenant_id = $1`,
    [shop.id],
  );
  const assign = (client: Pick<typeof pool, 'query'>, phone: string) =>
    client.query('update conversations set assignee = $3 where tenant_id = $1 and person = $2', [
      shop.id,
      phone,
      userId,
    ]);
  await assign(pool, '+14155550100');

  // Begins before the copy and ends after it, so that the copy sees nothing of it. Rows of a subtransaction have its id.
  const open = await one.db.connect();
  await open.query('begin; savepoint later');
  await createContactIfAbsent(open, shop.id, { phone: '+14155550190' });
  await open.query(`update contacts set city = 'Late' where tenant_id = $1 and id = $2`, [
    shop.id,
    contacts[5],
  ]);

  let copiedBefore = 0;
  const hold = async () => {
    await open.query('commit');
    await open.end();
    const inOrder = async (
      table: string,
      column: string,
      changes: [id: number, value: unknown][],
    ) => {
      for (const [id, value] of changes) {
        await pool.query(`update ${table} set ${column} = $3 where tenant_id = $1 and id = $2`, [
          shop.id,
          id,
          value,
        ]);
      }
    };
    // Values that are unique pass from row to row.
    await inOrder('contacts', 'phone', [
      [contacts[0]!, '+14155550199'],
      [contacts[1]!, '+14155550100'],
      [contacts[0]!, '+14155550101'],
    ]);
    await inOrder('statuses', 'name', [
      [first, 'Third'],
      [second, 'First'],
      [first, 'Second'],
    ]);
    await pool.query('delete from statuses where tenant_id = $1 and id = $2', [shop.id, gone]);
    expect((await shop.call('DELETE', `/contacts/${contacts[3]}`)).status).toBe(200);
    await create('/contacts', {
      ...{ firstname: 'Grace', phone: '+14155550103', external_id: 'customer 3' },
      ...{ status_id: second, group_ids: [sport] },
    });
    await pool.query(
      'delete from contact_groups where tenant_id = $1 and contact_id = $2 and group_id = $3',
      [shop.id, contacts[4], news],
    );
    const { body } = await shop.call('PUT', `/contacts/${contacts[4]}`, { firstname: 'Renamed' });
    expect(body.data.firstname).toBe('Renamed');
    await pool.query('update numbers set is_default = false where tenant_id = $1', [shop.id]);
    await pool.query('update numbers set is_default = (id = $2) where tenant_id = $1', [
      shop.id,
      shop.number.id,
    ]);
    await assign(pool, '+14155550101');
  };
  const isEarly = ([name]: [string, string[]]) => isCopiedEarly({ name, columns: [] });
  const early = Object.entries(await rowsOfTenant(one, shop.slug)).filter(isEarly);
  await moveTenant(
    { ...cells, proxy: { ...cells.proxy, hold } },
    { slug: shop.slug, onRows: (rows) => (copiedBefore = rows) },
  );
  expect(copiedBefore).toBeGreaterThanOrEqual(early.flatMap(([, rows]) => rows).length);
  // These are gathered for seconds before they are added, and the move does not wait for them.
  const settled = async (which: TestApp) => {
    const rows = await rowsOfTenant(which, shop.slug);
    for (const gathered of ['token_usage', 'tokens', 'api_requests']) delete rows[gathered];
    // The new cell adds that the tenant has arrived.
    delete rows.audit_entries;
    return rows;
  };
  const there = await settled(two);
  expect(there).toEqual(await settled(one));
  expect(there.contacts).toHaveLength(7);
  expect(there.conversations?.filter((row) => row.includes(userId))).toHaveLength(2);

  await confirmMove(cells, shop.slug);
  const back = { ...cells, here: cells.there, there: cells.here };
  await moveTenant(back, { slug: shop.slug });
  expect(await settled(one)).toEqual(there);
});

test('the report of a copy says how many rows are left, and goes on if there are more than expected', () => {
  expect(describeRows(20_000, 1_000_000, 2_000_000)).toBe(
    '1000000 of about 2000000 rows, 20 s left.',
  );
  expect(describeRows(30_000, 2_000_001, 2_000_000)).toBe('2000001 rows.');
});

test('kept files move, those that come meanwhile too, and each cell removes its own', async () => {
  const shop = await one.tenant();
  const keep = async (content: string) => ({
    id: await keepFile(one.services, shop, content),
    content: Buffer.from(content),
  });
  const files = [await keep('first'), await keep('second')];
  const gone = await keep('deleted');
  const hold = async () => {
    files.push(await keep('meanwhile'));
    await one.db.pool.query('delete from messages where tenant_id = $1 and id = $2', [
      shop.id,
      gone.id,
    ]);
    await removeKeptFiles(one.services);
  };
  const given = { ...cells, proxy: { ...cells.proxy, hold } };
  // The copies of an attempt that was killed stay behind. The next attempt does not use them.
  await expect(moveTenant(cells, { slug: shop.slug, onStep: killedAfter('held') })).rejects.toThrow(
    Killed,
  );
  const { copied } = await moveTenant(given, { slug: shop.slug });
  expect(copied?.files).toEqual({ kept: 3, lost: 0 });
  await confirmMove(cells, shop.slug);
  await removeKeptFiles(one.services);
  await removeKeptFiles(two.services);
  expect(await readKeptFiles(two.services, shop.slug)).toEqual(files);
  const inFolder = (which: TestApp) =>
    readdir(join(which.services.config.dataDir, 'media', String(shop.id))).catch(() => []);
  expect(await inFolder(one)).toEqual([]);
  expect(await inFolder(two)).toHaveLength(3);
});

test('an old copy whose number is refused and whose webhook is off is no trouble of the old cell, and is not checked', async () => {
  const shop = await one.tenant();
  await setWebhook(one.services, shop.id, { url: 'http://127.0.0.1:9/' });
  const { db } = one.services;
  const minutes = one.services.config.silenceMinutes;
  const look = async () => ({
    counts: await countTroubles(db, minutes),
    problems: await listNumberProblems(db, minutes),
    webhooks: [...(await listSwitchedOff(db)), ...(await listFullQuotas(db))],
  });
  const before = await look();
  await moveTenant(cells, { slug: shop.slug });
  const moved = await look();
  expect(moved.counts.connected).toBe(before.counts.connected - 1);
  await one.db.pool.query(
    `update numbers set problem = 'Refused.', check_due_at = '-infinity' where tenant_id = $1`,
    [shop.id],
  );
  await one.db.pool.query(
    `update webhooks set off_since = now(), off_reason = 'Full.', recording = 'none' where tenant_id = $1`,
    [shop.id],
  );
  expect(await look()).toEqual(moved);
  expect((await claimDueCheck(db, 60))?.tenant_id).not.toBe(shop.id);
});

test('outcomes that the old cell has counted come along, and the new cell counts only what follows', async () => {
  const shop = await one.tenant();
  const send = (which: TestApp, count: number) =>
    which.db.pool.query(
      `with made as (
         insert into messages (tenant_id, number_id, direction, person, kind, content, created_at)
         select tenant_id, id, 'out', '+14155550100', 'text', '{"text": "Hello"}', now() - interval '1 hour'
         from numbers, generate_series(1, $2)
         where tenant_id = (select id from tenants where slug = $1)
         returning *
       )
       insert into message_states (tenant_id, message_id, created_at, status, network_id)
       select tenant_id, id, created_at, 'sent', 'wamid.' || id from made`,
      [shop.slug, count],
    );
  /** Counts all messages, and returns how many the tenant has in the stored outcomes. */
  const rollUp = async ({ db }: TestApp) => {
    await eventually(async () => {
      await rollUpMessages(db, { settleMs: 0 });
      const { rows } = await db.pool.query(
        `select done_to >= (select coalesce(max(id), 0) from messages) as done
         from message_walks where name = 'outcomes'`,
      );
      return rows[0].done;
    });
    return stored({ db } as TestApp);
  };
  const stored = async ({ db }: TestApp) => {
    const { rows } = await db.pool.query(
      `select coalesce(sum(messages), 0)::int as count from message_outcomes
       where tenant_id = (select id from tenants where slug = $1)`,
      [shop.slug],
    );
    return rows[0].count;
  };
  const shown = async ({ db }: TestApp) => {
    const { rows } = await db.pool.query('select id from tenants where slug = $1', [shop.slug]);
    const { counted } = await countOutcomes(db.batched, rows[0].id, 7);
    return counted.reduce((sum, { messages }) => sum + messages, 0);
  };
  // The old cell is ahead, whatever tests before this one have sent.
  await rollUp(two);
  const last = await two.db.pool.query(`select last_value from messages_id_seq`);
  await one.db.pool.query(
    `select setval('messages_id_seq', greatest((select last_value from messages_id_seq), $1))`,
    [Number(last.rows[0].last_value) + 1000],
  );
  await send(one, 5);
  expect(await rollUp(one)).toBe(5);
  await moveTenant(cells, { slug: shop.slug });
  expect([await stored(two), await shown(two)]).toEqual([5, 5]);
  await send(two, 2);
  expect(await shown(two)).toBe(7);
  await two.db.pool.query(
    `delete from messages where id = (
       select min(id) from messages where tenant_id = (select id from tenants where slug = $1))`,
    [shop.slug],
  );
  expect(await shown(two)).toBe(6);
  expect(await rollUp(two)).toBe(6);
  expect(await shown(two)).toBe(6);
});

test('nothing old of a tenant is deleted while it is copied, but after a day of an unfinished copy', async () => {
  const shop = await one.tenant();
  const { pool } = one.db;
  await pool.query(
    `insert into messages (tenant_id, number_id, direction, person, kind, content, created_at)
     values ($1, $2, 'out', '+14155550100', 'text', '{"text": "Hello"}', now() - interval '40 days')`,
    [shop.id, shop.number.id],
  );
  await pool.query(
    `insert into api_requests (tenant_id, at, token_id, duration_ms, left_out, status, method, path, request_id)
     values ($1, now() - interval '8 days', 1, 1, 0, 200, 'GET', '/contacts', 'one')`,
    [shop.id],
  );
  await pool.query(
    `insert into events (tenant_id, position, id, created_at, event, data)
     values ($1, 1, 1, now() - interval '40 days', 'contact.created', '{}')`,
    [shop.id],
  );
  const count = async () => {
    await pruneMessages({
      ...one.services,
      config: { ...one.services.config, messageRetentionDays: 30 },
    });
    await pruneRequests(one.services);
    await pruneEvents(one.services);
    const { rows } = await pool.query(
      `select (select count(*) from messages where tenant_id = $1)::int as messages,
              (select count(*) from api_requests where tenant_id = $1 and request_id = 'one')::int as requests,
              (select count(*) from events where tenant_id = $1)::int as events`,
      [shop.id],
    );
    return Object.values(rows[0]);
  };
  await pool.query(
    `insert into tenant_moves (tenant_id, id, state, other_cell) values ($1, 1, 'copying', 'two')`,
    [shop.id],
  );
  expect(await count()).toEqual([1, 1, 1]);
  await pool.query(
    `update tenant_moves set changed_at = now() - interval '25 hours' where tenant_id = $1`,
    [shop.id],
  );
  expect(await count()).toEqual([0, 0, 0]);
  await pool.query('delete from tenant_moves where tenant_id = $1', [shop.id]);
});

/** Lets both cells use the same bucket until the end of the test. */
async function shareBucket() {
  const server = await startBucket();
  const inBucket = ({ services }: TestApp): Services => {
    const bucket = readConfig({ ...server.settings, PARLEY_DATA_DIR: services.config.dataDir });
    const config = { ...bucket, cell: services.config.cell };
    return { ...services, config, storage: createStorage(config) };
  };
  const [first, second] = [inBucket(one), inBucket(two)];
  onTestFinished(async () => {
    for (const { storage } of [first, second]) await storage.close();
    server.close();
  });
  return {
    shared: { ...cells, here: first, there: second },
    listObjects: () => [...server.objects.keys()],

    /** Removes the files that are not kept any more, and lists the others. */
    sweep: async () => {
      for (const services of [first, second]) await removeKeptFiles(services);
      return [...server.objects.keys()];
    },
  };
}

test('files in a bucket that both cells use stay where they are, whatever becomes of the move', async () => {
  const { shared, listObjects, sweep } = await shareBucket();
  const { here: first, there: second } = shared;
  const shop = await one.tenant();
  const id = await keepFile(first, shop, 'in the bucket');
  const stored = listObjects();
  await expect(
    moveTenant(shared, { slug: shop.slug, onStep: killedAfter('copied') }),
  ).rejects.toThrow(Killed);
  // The retention of each cell deletes old messages of the copy that is not used.
  const deleteIn = ({ db }: TestApp) =>
    db.pool.query('delete from messages where tenant_id = $1', [shop.id]);
  await deleteIn(two);
  expect(await sweep()).toEqual(stored);
  await cancelMove(shared, shop.slug);
  expect(await sweep()).toEqual(stored);
  await moveTenant(shared, { slug: shop.slug });
  await deleteIn(one);
  expect(await sweep()).toEqual(stored);
  await confirmMove(shared, shop.slug);
  expect(await sweep()).toEqual(stored);
  const moved = [{ id, content: Buffer.from('in the bucket') }];
  expect(await readKeptFiles(second, shop.slug)).toEqual(moved);
  await deleteIn(two);
  expect(await sweep()).toEqual([]);

  // The other cell gave it to a third one, which uses the same bucket.
  const away = await one.tenant();
  await keepFile(first, away, 'of the third cell');
  await moveTenant(shared, { slug: away.slug });
  await two.db.pool.query(
    `insert into tenant_moves (tenant_id, id, state, other_cell) values ($1, 1, 'moved', 'three')`,
    [away.id],
  );
  const again = () => moveTenant(shared, { slug: away.slug });
  await expect(again()).rejects.toThrow('has moved on from two, to three');
  await two.db.pool.query('delete from kept_files where tenant_id = $1', [away.id]);
  await deleteTenant(two.db, away.id);
  await expect(again()).rejects.toThrow('or was deleted there');
  expect(routes.at(-1)).toBe(`${away.slug} two`);
  const left = listObjects();
  expect(left).toHaveLength(1);
  expect(await confirmMove(shared, away.slug)).toBe(false);
  expect(await sweep()).toEqual(left);
});

test('a cell that was restored from before a move gives up its copy, and not the files of the other cell', async () => {
  const { shared, listObjects, sweep } = await shareBucket();
  const shop = await one.tenant();
  const id = await keepFile(shared.here, shop, 'in the bucket');
  const stored = listObjects();
  await expect(markMoved(shared, shop.slug)).rejects.toThrow('two does not serve this tenant');
  await moveTenant(shared, { slug: shop.slug });
  await expect(markMoved(shared, shop.slug)).rejects.toThrow('is known here: moved, two');
  // The backup has the tenant, and no move, or an unfinished one.
  const restored = [
    'delete from tenant_moves where tenant_id = $1',
    `update tenant_moves set state = 'held' where tenant_id = $1`,
  ];
  for (const change of restored) {
    await one.db.pool.query(change, [shop.id]);
    await expect(moveTenant(shared, { slug: shop.slug })).rejects.toThrow('has a tenant');
    await markMoved(shared, shop.slug);
  }
  await moveTenant(shared, { slug: shop.slug });
  expect(routes.at(-1)).toBe(`${shop.slug} two`);
  expect(await servingCells(shop, '+14155550177')).toEqual(['two']);
  expect(await confirmMove(shared, shop.slug)).toBe(true);
  expect(await sweep()).toEqual(stored);
  expect(await readKeptFiles(shared.there, shop.slug)).toEqual([
    { id, content: Buffer.from('in the bucket') },
  ]);

  // Not the same tenant.
  const namesake = await one.tenant();
  const other = await two.tenant();
  await two.db.pool.query('update tenants set slug = $1 where id = $2', [namesake.slug, other.id]);
  await expect(markMoved(shared, namesake.slug)).rejects.toThrow('two does not serve this tenant');
  await expect(run('move', namesake.slug, '--already-moved')).rejects.toThrow('needs --to');
});

test('a move is not begun if the proxy cannot be changed at its end', async () => {
  const shop = await one.tenant({ number: false });
  const hook = join(folder, 'not-executable');
  await writeFile(hook, '');
  const settings = { proxyMaps: folder, proxySocket: '', proxyHook: '' };
  for (const [changed, problem] of [
    [{ proxyMaps: join(folder, 'nowhere') }, '(PARLEY_PROXY_MAPS): ENOENT'],
    [{ proxyHook: hook }, '(PARLEY_PROXY_HOOK): EACCES'],
    [{ proxySocket: join(folder, 'no.sock') }, '(PARLEY_PROXY_SOCKET): connect ENOENT'],
  ] as const) {
    const proxy = createProxy({ ...settings, ...changed });
    const moving = moveTenant({ ...cells, proxy }, { slug: shop.slug });
    await expect(moving, problem).rejects.toThrow(problem);
    expect((await parley('move', shop.slug)).move).toBe(null);
  }
});

test('a tenant does not move between cells of different schemas', async () => {
  const shop = await one.tenant({ number: false });
  for (const [newer, problem] of [
    [two, 'two has the migration 9999_later.sql, and one does not'],
    [one, 'one has the migration 9999_later.sql, and two does not'],
  ] as const) {
    await newer.db.pool.query(`insert into migrations values ('9999_later.sql', '')`);
    const moving = moveTenant(cells, { slug: shop.slug });
    await expect(moving, problem).rejects.toThrow(problem);
    await newer.db.pool.query(`delete from migrations where name = '9999_later.sql'`);
    expect((await parley('move', shop.slug)).move).toBe(null);
  }
});

test('moves that use one proxy at the same time change it one after the other', async () => {
  const proxyMaps = await mkdtemp(join(folder, 'maps-'));
  const open = () => createProxy({ proxyMaps, proxySocket: '', proxyHook: '' });
  const first = open();
  await first.hold({ slug: 'first', addresses: [] });
  const others = ['second', 'third', 'fourth'].map((slug) =>
    open().route({ slug, addresses: [] }, 'two'),
  );
  await first.route({ slug: 'first', addresses: [] }, 'two');
  await Promise.all(others);
  const [line, ...rest] = (await readFile(join(proxyMaps, 'tenants.map'), 'utf8')).split('\n');
  expect(line).toBe('first two');
  expect(rest.sort()).toEqual(['', 'fourth two', 'second two', 'third two']);
});

test('a tenant can leave a cell while another one arrives there', async () => {
  const [arriving, leaving] = [await two.tenant(), await one.tenant()];
  const hello = { type: 'text', phone_number: '+14155550123', message: 'Hello.' };
  expect((await arriving.call('POST', '/messages/send', hello)).status).toBe(200);
  // Called while the transaction of the arrival has written, and is open.
  const hold = async () => void (await moveTenant(cells, { slug: leaving.slug }));
  const proxy = { ...cells.proxy, hold };
  await moveTenant({ here: two.services, there: one.services, proxy }, { slug: arriving.slug });
  expect(await servingCells(leaving, '+14155550123')).toEqual(['two']);
  expect(await servingCells(arriving, '+14155550123')).toEqual(['one']);
});

test('a move to another cell does not cancel the one that is not finished', async () => {
  const shop = await one.tenant({ number: false });
  await expect(moveTenant(cells, { slug: shop.slug, onStep: killedAfter('held') })).rejects.toThrow(
    Killed,
  );
  const elsewhere = { PARLEY_DATA_DIR: join(folder, 'four'), PARLEY_CELL: 'four' };
  const lines = Object.entries({ ...databaseSettings(two), ...elsewhere });
  await writeFile(
    join(folder, 'four.env'),
    lines.map(([name, value]) => `${name}='${value}'\n`).join(''),
  );
  await expect(run('move', shop.slug, '--to', 'four')).rejects.toThrow('on its way to two');
  const { config } = two.services;
  const there = { ...two.services, config: { ...config, cell: 'four' } };
  await expect(cancelMove({ ...cells, there }, shop.slug)).rejects.toThrow('another cell, two');
  expect((await parley('move', shop.slug)).move).toMatchObject({ state: 'held' });
  await cancelMove(cells, shop.slug);
  expect(await rowsOfTenant(two, shop.slug)).toEqual({});
});

/** Opens a named pipe, if a process has opened it for reading. */
function openForWriting(path: string): Promise<FileHandle | undefined> {
  return open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error) => {
    if (error.code !== 'ENXIO') throw error;
    return undefined;
  });
}

test('a command that runs when the hold begins is waited for, and one that begins later is refused', async () => {
  const shop = await one.tenant();
  const proxyMaps = await mkdtemp(join(folder, 'maps-'));
  const maps = createProxy({ proxyMaps, proxySocket: '', proxyHook: '' });
  const secret = join(folder, 'secret');
  await promisify(execFile)('mkfifo', [secret]);
  const options = ['--platform', 'woocommerce', '--secret-file', secret];
  const seen = (query: string, value: number) =>
    eventually(async () => (await one.db.pool.query(query, [value])).rows.length > 0);
  let creating: Promise<string> | undefined;
  let pipe: FileHandle | undefined;
  // Called after the move has waited for long work, and before it holds the tenant.
  const hold = async () => {
    creating = store.run('create', shop.slug, '--name', 'Begun', ...options);
    // Possible once the command reads its secret, after it has looked for a hold.
    pipe = await eventually(() => openForWriting(secret));
  };
  const proxy = { ...cells.proxy, hold, route: maps.route };
  const moving = moveTenant({ ...cells, proxy }, { slug: shop.slug });
  await seen(`select from tenant_moves where state = 'held' and tenant_id = $1`, shop.id);
  const late = store.run('create', shop.slug, '--name', 'Late', '--platform', 'woocommerce');
  await expect(late).rejects.toThrow('This tenant is being moved to another server.');
  await pipe?.writeFile('a secret of the shop');
  await pipe?.close();
  await creating;
  await moving;
  const { rows } = await two.db.pool.query(
    `select name, webhook_id from stores where tenant_id = (select id from tenants where slug = $1)`,
    [shop.slug],
  );
  expect(rows).toMatchObject([{ name: 'Begun' }]);
  // The address of the store is routed, too, although it was not known when the move began.
  const routed = await readFile(join(proxyMaps, 'addresses.map'), 'utf8');
  expect(routed.split('\n')).toContain(`${rows[0].webhook_id} two`);
});

test('the command changes the maps of the proxy, says what it needs, and goes on after kill -9', async () => {
  const shop = await one.tenant();
  await one.db.pool.query(
    `insert into kept_files (tenant_id, message_id, number_id, network_id) values ($1, 1, $2, '1')`,
    [shop.id, shop.number.id],
  );
  const elsewhere = { PARLEY_DATA_DIR: join(folder, 'elsewhere') };
  const settings = { ...databaseSettings(two), ...elsewhere, PARLEY_CELL: 'two' };
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(folder, 'two.env'), lines.join(''));
  await writeFile(join(folder, 'other.env'), lines.join(''));
  // Not with the key and the database of this command.
  await writeFile(join(folder, 'empty.env'), 'PARLEY_CELL=empty\n');
  const { DATABASE_URL } = databaseSettings(two);
  await writeFile(
    join(folder, 'keyless.env'),
    `PARLEY_CELL=keyless\nDATABASE_URL='${DATABASE_URL}'\n`,
  );
  await writeFile(join(folder, 'tenants.map'), `neighbour two\n${shop.slug} one\n`);
  for (const [args, problem] of [
    [['nobody', '--to', 'two'], 'There is no tenant "nobody"'],
    [[shop.slug, '--to', 'three'], 'There is no cell "three" in'],
    [[shop.slug, '--to', 'other'], 'other.env is for the cell "two"'],
    [[shop.slug, '--to', 'empty'], 'empty.env has no DATABASE_URL, and no PARLEY_DATA_DIR'],
    [[shop.slug, '--to', 'keyless'], 'keyless.env has no PARLEY_MASTER_KEY, and no PARLEY_DATA'],
    [[shop.slug, '--to', 'one'], 'is in one already'],
    [[shop.slug, '--to', 'two', '--confirm'], 'Use one of'],
    [[shop.slug, '--to', 'two'], 'is not the data folder of two'],
    [[shop.slug, '--confirm'], 'does not move'],
    [[shop.slug, '--cancel'], 'does not move'],
  ] as const) {
    await expect(run('move', ...args), problem).rejects.toThrow(problem);
  }
  const newest = await two.db.pool.query(
    'delete from migrations where name = (select max(name) from migrations) returning *',
  );
  await expect(run('move', shop.slug, '--to', 'two')).rejects.toThrow(
    'two: The schema of the database is too old',
  );
  const { name, checksum } = newest.rows[0];
  await two.db.pool.query('insert into migrations values ($1, $2)', [name, checksum]);
  const killed = spawnParley(['tenant', 'move', shop.slug, '--to', 'two', '--without-files']);
  const exited = once(killed, 'exit');
  for await (const chunk of killed.stderr) {
    if (String(chunk).includes('Writes are held')) killed.kill('SIGKILL');
  }
  await exited;
  // On a busy machine it may have gone on before it was killed.
  expect(['held', 'moved']).toContain((await parley('move', shop.slug)).move.state);
  expect(await parley('move', shop.slug, '--to', 'two', '--without-files')).toMatchObject({
    tenant: shop.slug,
    from: 'one',
    to: 'two',
    state: 'moved',
  });
  expect(await readFile(join(folder, 'tenants.map'), 'utf8')).toBe(
    `neighbour two\n${shop.slug} two\n`,
  );
  const { rows } = await two.db.pool.query(
    `select callback_id from numbers where id = $1 and tenant_id = (select id from tenants where slug = $2)`,
    [shop.number.id, shop.slug],
  );
  expect(await readFile(join(folder, 'addresses.map'), 'utf8')).toBe(
    `${rows[0].callback_id} two\n`,
  );
  expect(await run('move', shop.slug)).toMatch(/^moved: the tenant is in two/);
  await expect(run('set-plan', shop.slug, 'pro')).rejects.toThrow('has moved');
  expect(await parley('move', shop.slug, '--confirm')).toMatchObject({ state: 'confirmed' });
});
