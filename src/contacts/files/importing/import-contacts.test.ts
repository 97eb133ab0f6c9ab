import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRoundTrips } from '../../../../test/database/round-trips.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { maxLabels } from '../../../labels/create-label.ts';
import { exportContacts } from '../export-contacts.ts';
import { type ImportChoices, importContacts } from './import-contacts.ts';

const app = testApp();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-imports-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Imports a file with these lines, and returns the result with the refused rows. */
function load(shop: TestTenant, ...lines: string[]) {
  return loadWith(shop, {}, ...lines);
}

async function loadWith(shop: TestTenant, choices: ImportChoices, ...lines: string[]) {
  const path = join(folder, `${Math.random()}.csv`);
  await writeFile(path, lines.join('\n'));
  const { ignoredColumns, ...counts } = await importContacts(
    app.db,
    shop.id,
    path,
    `${path}.refused`,
    choices,
  );
  const refused = counts.refused > 0 ? await readReport(`${path}.refused`) : [];
  return { ...counts, ignoredColumns, refused };
}

async function readReport(path: string): Promise<string[][]> {
  const rows: Record<string, string>[] = parse(await readFile(path, 'utf8'), {
    columns: true,
    bom: true,
  });
  return rows.map(({ line, reason }) => [line!, reason!]);
}

async function contactsOf(shop: TestTenant) {
  return (await shop.call('GET', '/contacts')).body.data;
}

test('external ids and metadata are imported, merged, refused where they cannot be, and exported', async () => {
  const shop = await app.tenant({ number: false });
  const first = await load(
    shop,
    'name,phone,External ID,metadata.plan,Metadata.größe,metadata',
    'Ann,+14155550101,crm-1,gold,,"{""since"":""2020"",""plan"":""old""}"',
    'Bob,+14155550102,,,,',
    'Cem,+14155550103,crm-1,,,',
    'Dan,+14155550104,crm-4,silver,L,',
    'Dan,+14155550104,,,M,"{""x"":""=1;=2""}"',
    'Eve,+14155550105,,,,not json',
    'Fay,+14155550106,,,,"{""a"":{}}"',
    'Gus,+14155550107,,,,"{""email"":""x""}"',
  );
  // The two rows of one phone are one contact.
  expect(first).toMatchObject({ created: 3, ignoredColumns: [] });
  expect(first.refused).toEqual([
    ['4', 'external_id already belongs to another contact'],
    ['7', expect.stringMatching(/^metadata must be an object/)],
    ['8', 'metadata.a must be a string'],
    ['9', expect.stringMatching(/^metadata must not have the name of a field/)],
  ]);
  const data = await contactsOf(shop);
  expect(data).toMatchObject([
    { external_id: 'crm-1', metadata: { plan: 'gold', since: '2020' } },
    { external_id: null, metadata: {} },
    { external_id: 'crm-4', metadata: { plan: 'silver', größe: 'M', x: '=1;=2' } },
  ]);

  const many = JSON.stringify(
    Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'v'])),
  ).replaceAll('"', '""');
  const second = await load(
    shop,
    `name,phone,external_id,metadata\nBob,+14155550102,crm-4,\nAnn,+14155550101,,"${many}"\nAnn,+14155550101,,"{""plan"":""gold""}"`,
  );
  expect(second).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  const tooMany = 'metadata must have at most 50 entries together with those that the contact has';
  expect(second.refused).toEqual([
    ['2', 'external_id already belongs to another contact'],
    ['3', tooMany],
  ]);
  // Two rows that have too many together, and a third that fits after the first.
  const third = await load(
    shop,
    `name,phone,metadata\nBob,+14155550102,"${many}"\nBob,+1 (415) 555-0102,"{""a"":""x"",""b"":""y""}"\nBob,+14155550102,"{""c"":""d""}"`,
  );
  expect(third).toMatchObject({ updated: 1, refused: [['3', tooMany]] });
  await shop.call('PUT', `/contacts/${data[1].id}`, { metadata: null });

  const exported = join(folder, 'exported.csv');
  await exportContacts(app.db, shop.id, exported);
  const other = await app.tenant({ number: false });
  const again = await importContacts(app.db, other.id, exported, `${exported}.refused`);
  const ignoredColumns = ['id', 'user_id', 'username', 'created_at'];
  expect(again).toMatchObject({ created: 3, refused: 0, ignoredColumns });
  const essence = ({ phone, external_id, metadata }: Record<string, unknown>) => ({
    phone,
    external_id,
    metadata,
  });
  const copies = await contactsOf(other);
  expect(copies.map(essence)).toEqual(data.map(essence));
});

test('rows without a first name leave that of a known contact, and a new contact gets its phone', async () => {
  const shop = await app.tenant({ number: false });
  const ann = { firstname: 'Ann', phone: '+14155550101' };
  await shop.call('POST', '/contacts', ann);
  const rows = [
    'firstname,lastname,phone',
    ',Lee,+14155550101',
    ',,+14155550102',
    ',Hopper,+14155550103',
    'Grace,,+14155550103',
    '\u2800,,+14155550104',
  ];
  expect(await load(shop, ...rows)).toMatchObject({ created: 3, updated: 1, refused: [] });
  const expected = [
    { ...ann, lastname: 'Lee' },
    { firstname: '+14155550102', lastname: null },
    { firstname: 'Grace', lastname: 'Hopper' },
    { firstname: '+14155550104' },
  ];
  expect(await contactsOf(shop)).toMatchObject(expected);
  expect(await load(shop, ...rows)).toMatchObject({ created: 0, updated: 0, unchanged: 5 });

  const further = await load(shop, 'phone,city', '+14155550101,Rome', ',Oslo', '12,Bonn');
  expect(further).toMatchObject({
    updated: 1,
    refused: [
      ['3', expect.stringMatching(/^phone [^;]*$/)],
      ['4', expect.stringMatching(/^phone [^;]*$/)],
    ],
  });
  expect(await contactsOf(shop)).toMatchObject([{ ...expected[0], city: 'Rome' }, {}, {}, {}]);
});

test('numbers and booleans of metadata are imported as they are written, and null is left out', async () => {
  const shop = await app.tenant({ number: false });
  const json =
    '{""orders"":3,""ref"":7210448301122000001,""total"":10.50,""opt_in"":true,""note"":null}';
  await load(shop, 'phone,metadata', `+14155550101,"${json}"`, '+14155550102,"{""a"":null}"');
  expect(await contactsOf(shop)).toMatchObject([
    { metadata: { orders: '3', ref: '7210448301122000001', total: '10.50', opt_in: 'true' } },
    { metadata: {} },
  ]);
});

test('groups are separated by commas too, unless a group has the whole name', async () => {
  const [shop, copy] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
  for (const name of ['vip', 'newsletter', 'Cologne, Bonn', 'Oslo, Rome']) {
    await shop.call('POST', '/groups', { name });
    await copy.call('POST', '/groups', { name });
  }
  const [vip, newsletter, cologne, oslo] = (await shop.call('GET', '/groups')).body.data.map(
    ({ id }: { id: number }) => id,
  );
  const result = await load(
    shop,
    'phone,tags',
    '+14155550101,"VIP, newsletter,"',
    '+14155550102,"cologne, bonn"',
    '+14155550103,"Oslo, Rome;vip,"',
    '+14155550104,"vip\\, newsletter"',
    '+14155550105,"vip, Late"',
    '+14155550106,"Oslo, Rome; Cologne, Bonn"',
    '+14155550107,"Oslo, Rome"',
  );
  expect(result.refused).toEqual([
    ['4', 'group "vip," does not exist'],
    ['5', 'group "vip, newsletter" does not exist'],
    ['6', 'group "Late" does not exist'],
  ]);
  const groupsOf = async (tenant: TestTenant) =>
    (await contactsOf(tenant)).map(({ group_ids }: { group_ids: number[] }) => group_ids);
  expect(await groupsOf(shop)).toEqual([[vip, newsletter], [cologne], [cologne, oslo], [oslo]]);

  // A comma that belongs to a name stays in it, even if its parts are groups of the other tenant.
  await shop.call('PUT', `/groups/${oslo}`, { name: 'vip, newsletter' });
  const exported = join(folder, 'commas.csv');
  await exportContacts(app.db, shop.id, exported);
  const missing = 'group "vip, newsletter" does not exist';
  expect((await load(copy, await readFile(exported, 'utf8'))).refused).toEqual([
    ['4', missing],
    ['5', missing],
  ]);
});

test('a row that is refused for its phone names its missing labels too', async () => {
  const shop = await app.tenant({ number: false });
  const result = await load(shop, 'phone,status,groups', '12,Open,vip');
  expect(result.refused).toEqual([
    [
      '2',
      expect.stringMatching(/^phone .*; status "Open" does not exist; group "vip" does not exist$/),
    ],
  ]);
});

test('missing labels are counted once each, and created if the import is told to', async () => {
  const shop = await app.tenant({ number: false });
  await shop.call('POST', '/groups', { name: 'old' });
  const rows = [
    'phone,status,source,tags',
    '+14155550101,Open,Fair,"vip, old"',
    '+14155550102,open,,vip',
    '+14155550103,,,old',
    '12,Closed,,vip',
    `+14155550104,,,${'x'.repeat(300)}`,
  ];
  const names = async (kind: string) =>
    (await shop.call('GET', `/${kind}`)).body.data.map(({ name }: { name: string }) => name);
  const first = await load(shop, ...rows);
  expect(first).toMatchObject({ created: 1 });
  expect(first.missingLabels).toEqual([
    { label: 'group', name: 'vip', rows: 3 },
    { label: 'status', name: 'Open', rows: 2 },
    { label: 'source', name: 'Fair', rows: 1 },
    { label: 'status', name: 'Closed', rows: 1 },
    { label: 'group', name: `${'x'.repeat(254)}…`, rows: 1 },
  ]);
  expect(await names('groups')).toEqual(['old']);

  const second = await loadWith(shop, { createLabels: true }, ...rows);
  // A name that is too long cannot be created, and a refused row creates none.
  expect(second).toMatchObject({
    created: 2,
    unchanged: 1,
    refused: [
      ['5', expect.stringMatching(/^phone [^;]*$/)],
      ['6', expect.stringMatching(/^group "x+" does not exist$/)],
    ],
  });
  expect(second.missingLabels).toHaveLength(1);
  expect(await names('statuses')).toEqual(['Open']);
  expect(await names('sources')).toEqual(['Fair']);
  expect(await names('groups')).toEqual(['old', 'vip']);
  expect((await contactsOf(shop))[1].group_ids).toHaveLength(2);
});

test('an import that is told to create labels ends soon once there is no room for more', async () => {
  const shop = await app.tenant({ number: false });
  await app.db.query(sql`
    insert into groups (tenant_id, name)
    select ${shop.id}, 'Group ' || place from generate_series(2, ${maxLabels}::int) as place`);
  const names = Array.from({ length: 200 }, (_, place) => `New ${place}`);
  const rows = ['phone,groups', `+14155550101,${names.join(';')}`, '+14155550102,New 0'];
  const trips = await countRoundTrips(app, async () => {
    const { created, refused } = await loadWith(shop, { createLabels: true }, ...rows);
    expect([created, refused.length]).toEqual([1, 1]);
  });
  expect(trips).toBeLessThan(20);
});

test('a check refuses an external id that an earlier row has, however far it is away', async () => {
  const shop = await app.tenant({ number: false });
  const between = Array.from({ length: 300 }, (_, place) => `+1415555${1_000 + place},`);
  // The last phone is another form of the first one.
  const rows = [
    ...['phone,external_id', '+5215512345678,crm-2', '+14155550101,crm-1'],
    ...[...between, '+14155550102,crm-1', '+525512345678,crm-2'],
  ];
  for (const onlyCheck of [true, false]) {
    const { accepted, refused } = await loadWith(shop, { onlyCheck }, ...rows);
    expect({ accepted, refused }, `${onlyCheck}`).toEqual({
      accepted: 303,
      refused: [['304', 'external_id already belongs to another contact']],
    });
  }
});
