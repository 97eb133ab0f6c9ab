import { exec } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { lockWaiters } from '../../../test/database/locks.ts';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { shellParley, spawnParley } from '../../../test/program/bin-parley.ts';
import { testCommand } from '../../../test/program/command.ts';
import { runCommand } from '../../../test/program/run-command.ts';
import { importContacts } from '../../contacts/files/importing/import-contacts.ts';
import { eventTypes } from '../../webhooks/schema.ts';
import { contactCommands } from './contact.ts';

const app = testApp();
const { parley } = testCommand(app, contactCommands);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-contacts-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(content: string | Buffer): Promise<string> {
  const path = join(folder, `${Math.random()}.csv`);
  await writeFile(path, content);
  return path;
}

async function contactsOf(shop: TestTenant) {
  return (await shop.call('GET', '/contacts?per_page=100')).body.data;
}

describe('parley contact import', () => {
  test('creates contacts; columns and labels are matched by name', async () => {
    const shop = await app.tenant({ number: false });
    const label = async (kind: string, name: string) =>
      (await shop.call('POST', `/${kind}`, { name })).body.data.id;
    const [status, vip, late] = [
      await label('statuses', 'Lead'),
      await label('groups', 'VIP'),
      await label('groups', 'Late'),
    ];
    const path = await file(
      '\ufeffFirst Name;Shoe size;E-Mail;PHONE_NUMBER;Status;Groups;City\r\n' +
        '"Ann ""A""";38;ann@example.com;+44 (0)20 7946 0101;lead;vip|Late;"Line, one"\r\n' +
        'Жанна;\u200b;;\u202a0079161234567\u202c;;;\r\n',
    );
    expect(await parley('import', shop.slug, path)).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 0,
      same_phone: 0,
      ignored_columns: ['Shoe size'],
      missing_labels: [],
      report: null,
    });
    expect(await contactsOf(shop)).toMatchObject([
      {
        firstname: 'Ann "A"',
        phone: '+442079460101',
        email: 'ann@example.com',
        status_id: status,
        group_ids: [vip, late],
        city: 'Line, one',
      },
      { firstname: 'Жанна', phone: '+79161234567', email: null, group_ids: [] },
    ]);
    expect((await shop.call('GET', '/contacts?search=жан')).body.pagination.total).toBe(1);
  });

  test('names missing labels once, creates them on request, and reads phones without a plus', async () => {
    const shop = await app.tenant({ number: false });
    const path = await file(
      'name,phone,status,tags\nAnn,+14155550101,Lead,\nBob,14155550102,lead,vip\nAnne,+14155550101,,\n',
    );
    const { stdout } = await runCommand(['contact', 'import', shop.slug, path]);
    expect(stdout).toBe(
      [
        '1 created, 0 updated, 0 unchanged, 2 refused.',
        `Refused rows, with the reasons: ${path}.refused.csv`,
        'Missing labels: status "Lead" (2 rows), group "vip" (1 row)',
        'Create them, or import the file again with --create-labels.',
        '',
      ].join('\n'),
    );
    const choices = ['--create-labels', '--phones-without-plus'];
    expect((await runCommand(['contact', 'import', shop.slug, path, ...choices])).stdout).toBe(
      [
        '1 created, 1 updated, 1 unchanged, 0 refused.',
        'Rows with the phone of an earlier row, and so of the same contact: 1',
        '',
      ].join('\n'),
    );
  });

  test('only checks a file on request, and shows what its columns mean', async () => {
    const shop = await app.tenant({ number: false });
    const path = await file(
      [
        'First Name,Phone Number,Mobile 2,Tags,metadata.plan',
        'Zed,12,,vip,',
        'Ann,+49 30 1234567,x,"vip, old",gold',
        'Bob,+49 30 1234568,,,',
      ].join('\n'),
    );
    const { stdout } = await runCommand([
      ...['contact', 'import', shop.slug, path, '--check', '--create-labels'],
    ]);
    expect(stdout).toBe(
      [
        'Nothing was imported. 2 can be imported, 1 would be refused.',
        'Columns, with the first row that can be imported:',
        '  First Name is firstname: Ann',
        '  Phone Number is phone: +49301234567',
        '  Tags is groups',
        '  metadata.plan is metadata.plan: gold',
        `Refused rows, with the reasons: ${path}.refused.csv`,
        'Ignored columns: Mobile 2',
        '',
      ].join('\n'),
    );
    expect(await parley('import', shop.slug, path, '--check')).toMatchObject({
      ...{ accepted: 1, refused: 2, report: `${path}.refused.csv` },
      columns: [{ heading: 'First Name', column: 'firstname', first: 'Bob' }, {}, {}, {}],
    });
    expect(await contactsOf(shop)).toEqual([]);
    expect((await shop.call('GET', '/groups')).body.data).toEqual([]);
  });

  test('reports what was imported when it is interrupted', async () => {
    const shop = await app.tenant({ number: false });
    const running = spawnParley(['contact', 'import', shop.slug, '-']);
    const output: string[] = [];
    running.stderr.on('data', (chunk) => output.push(String(chunk)));
    const rows = Array.from({ length: 250 }, (_, n) => `Ada,+1415555${1000 + n}\n`);
    running.stdin.write(`name,phone\n${rows.join('')}`);
    const count = async () => (await shop.call('GET', '/contacts')).body.pagination.total;
    await eventually(async () => (await count()) === 250);
    running.kill('SIGINT');
    running.stdin.end('Ben,+14155552000\n');
    expect(await once(running, 'close')).toEqual([null, 'SIGINT']);
    expect(output.join('')).toBe('What was imported stays; it is safe to import the file again.\n');
  });

  test('reports it also after a failure, unless nothing was imported', async () => {
    const shop = await app.tenant({ number: false });
    await app.db.query(sql`
      create function fail_at_last() returns trigger language plpgsql as
        'begin raise ''the disk is full''; end'`);
    await app.db.query(sql`
      create trigger fail_at_last before insert on contacts for each row
      when (new.phone = '+14155559999') execute function fail_at_last()`);
    const rows = Array.from({ length: 250 }, (_, n) => `Ada,+1415555${1000 + n}\n`);
    const last = 'Ben,+14155559999\n';
    const failing = async (content: string) => {
      const args = ['contact', 'import', shop.slug, await file(`name,phone\n${content}`)];
      return (await runCommand(args)).stderr;
    };
    expect(await failing(last)).toBe('parley: the disk is full\n');
    expect(await failing(rows.join('') + last)).toBe(
      'What was imported stays; it is safe to import the file again.\nparley: the disk is full\n',
    );
    expect((await shop.call('GET', '/contacts')).body.pagination.total).toBe(250);
    await app.db.query(sql`drop function fail_at_last cascade`);
  });

  test('changes contacts that differ, leaves the others alone, and can be repeated', async () => {
    const shop = await app.tenant({ number: false });
    await app.db.query(sql`
      insert into webhooks (tenant_id, url, events, secret)
      values (${shop.id}, 'https://shop.test/hook', ${eventTypes}, '\\x00')`);
    const ann = { firstname: 'Zoë', phone: '+5531987654321', city: 'Rome', company: 'Lee' };
    await shop.call('POST', '/contacts', ann);
    await shop.call('POST', '/groups', { name: 'New' });
    const path = await file(
      'firstname,phone,city,company,groups\n' +
        // The same mobile in the form that Brazil used before 2016.
        'Zoë,+553187654321,Malmö,,\n' +
        'Bob,+14155550102,,,New\n',
    );
    expect(await parley('import', shop.slug, path)).toMatchObject({ created: 1, updated: 1 });
    expect(await contactsOf(shop)).toMatchObject([{ ...ann, city: 'Malmö' }, { firstname: 'Bob' }]);
    expect(await parley('import', shop.slug, path)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
    const decomposed = (await readFile(path, 'utf8')).normalize('NFD');
    expect(await parley('import', shop.slug, await file(decomposed))).toMatchObject({
      updated: 0,
      unchanged: 2,
    });
    const { rows } = await app.db.query<{ event: string }>(sql`
      select event from deliveries where tenant_id = ${shop.id} and event <> 'contact.read'
      order by id`);
    expect(rows.map(({ event }) => event)).toEqual([
      'contact.created',
      'contact.updated',
      'contact.created',
    ]);
  });

  test('applies rows of the same phone in order, wherever they are in the file', async () => {
    const shop = await app.tenant({ number: false });
    for (const name of ['A', 'B']) {
      await shop.call('POST', '/groups', { name });
      await shop.call('POST', '/statuses', { name });
    }
    const twice = (phone: string, same = phone) => [
      `Ann,Lee,${phone},ann@x.com,Oslo,A,A`,
      `Anna,,${same},,Rome,,B`,
    ];
    const others = Array.from({ length: 300 }, (_, n) => `N,,+1415555${1000 + n},,,,`);
    const [near, far] = [twice('+5531987654321', '+553187654321'), twice('+14155550101')];
    const rows = [far[0], ...near, ...others, far[1]];
    const path = await file(`name,lastname,phone,email,city,status,groups\n${rows.join('\n')}\n`);
    await parley('import', shop.slug, path);
    const groups = (await shop.call('GET', '/groups')).body.data.map(
      ({ id }: { id: number }) => id,
    );
    const status = (await shop.call('GET', '/statuses')).body.data[0].id;
    const found = (await shop.call('GET', '/contacts?search=lee')).body.data;
    const expected = {
      ...{ firstname: 'Anna', lastname: 'Lee', email: 'ann@x.com', city: 'Rome' },
      ...{ status_id: status, group_ids: groups },
    };
    expect(found.map(({ phone }: { phone: string }) => phone).sort()).toEqual([
      '+14155550101',
      '+5531987654321',
    ]);
    expect(found).toMatchObject([expected, expected]);
  });

  test('changes `updated_at` of a contact that only joins a group', async () => {
    const shop = await app.tenant({ number: false });
    const ann = { firstname: 'Ann', phone: '+14155550101' };
    const before = (await shop.call('POST', '/contacts', ann)).body.data;
    const vip = (await shop.call('POST', '/groups', { name: 'VIP' })).body.data.id;
    const path = await file('name,phone,groups\nAnn,+14155550101,VIP\n');
    expect(await parley('import', shop.slug, path)).toMatchObject({ updated: 1 });
    const [joined] = await contactsOf(shop);
    expect(joined.group_ids).toEqual([vip]);
    expect(Date.parse(joined.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await parley('import', shop.slug, path)).toMatchObject({ unchanged: 1 });
    expect((await contactsOf(shop))[0].updated_at).toBe(joined.updated_at);
  });

  test('writes refused rows to the report, with line and reason', async () => {
    const shop = await app.tenant({ number: false });
    const path = await file(
      Buffer.concat([
        Buffer.from(
          'firstname,phone,email,status\n' +
            'Ann,+14155550101,,\n' +
            'Zed,,,\n' +
            '"Two\nlines",123,x,\n' +
            'Bob,+14155550103,,Gone\n',
        ),
        Buffer.from('Zo\xeb,+14155550104,,\n', 'latin1'),
        Buffer.from('=cmd(),+14155550105,none,\n"never closed\n'),
      ]),
    );
    const report = `${path}.refused.csv`;
    expect(await parley('import', shop.slug, path)).toMatchObject({
      created: 1,
      refused: 6,
      report,
    });
    expect((await stat(report)).mode & 0o777).toBe(0o600);
    expect(parse(await readFile(report, 'utf8'), { relax_column_count: true })).toEqual([
      ['line', 'reason', 'firstname', 'phone', 'email', 'status'],
      ['3', expect.stringMatching(/^phone must be [^;]*$/), 'Zed', '', '', ''],
      [
        '4',
        expect.stringMatching(
          /^firstname .*; phone .*; email must be an email address; a quote extends the row to line 5$/,
        ),
        'Two\nlines',
        '123',
        'x',
        '',
      ],
      ['6', 'status "Gone" does not exist', 'Bob', "'+14155550103", '', 'Gone'],
      [
        '7',
        'row has bytes that are not valid UTF-8. Save the original file as "CSV UTF-8"',
        'Zo\ufffd',
        "'+14155550104",
        '',
        '',
      ],
      ['8', 'email must be an email address', "'=cmd()", "'+14155550105", 'none', ''],
      ['9', 'row opens a quote that is never closed', '"never closed'],
    ]);
    // After the fix, the same file leaves no report.
    await writeFile(path, 'firstname,phone\nAnn,+14155550101\n');
    await parley('import', shop.slug, path);
    await expect(readFile(report)).rejects.toThrow('ENOENT');
  });

  test('matches labels by the same rule that keeps their names unique', async () => {
    const shop = await app.tenant({ number: false });
    const names = ['Ώριμος Σίσυφος', 'Café', 'ĐÀ NẴNG', 'İzmir', '+1', 'Ōkubo ＶＩＰ'];
    for (const name of names) await shop.call('POST', '/groups', { name });
    const written = [...names, ...names.map((name) => name.normalize('NFD'))];
    written.push('ώριμοσ σίσυφος', 'CAFÉ', 'đà nẵng', "'+1", 'ōkubo ｖｉｐ', 'İZMIR');
    const rows = written.map((name, n) => `Ann,+1415555${1000 + n},${name}\n`);
    const path = await file(`name,phone,groups\n${rows.join('')}`);
    expect(await parley('import', shop.slug, path)).toMatchObject({
      created: rows.length,
      refused: 0,
    });
    const groups = (await shop.call('GET', '/groups')).body.data.map(
      ({ id }: { id: number }) => id,
    );
    const members = (await contactsOf(shop)).map((each: { group_ids: number[] }) => each.group_ids);
    const expected = [...groups, ...groups, ...[0, 1, 2, 4, 5, 3].map((index) => groups[index])];
    expect(members).toEqual(expected.map((id) => [id]));
  });

  test('refuses the rows of a label that is deleted during the import', async () => {
    const shop = await app.tenant({ number: false });
    const first = { firstname: 'First', phone: '+14155551000' };
    await shop.call('POST', '/contacts', first);
    const status = (await shop.call('POST', '/statuses', { name: 'Lead' })).body.data.id;
    const rows = Array.from({ length: 600 }, (_, n) => {
      return `N${n},+1415555${1000 + n},${n % 2 === 0 ? 'lead' : ''}\n`;
    });
    const path = await file(`name,phone,status\n${rows.join('')}`);
    const report = `${path}.refused`;
    // The first batch has looked up its labels, and then waits for a contact that is locked.
    const imported = await app.db.transaction(async (tx) => {
      await tx.query(sql`select from contacts where tenant_id = ${shop.id} for update`);
      const running = importContacts(app.db, shop.id, path, report);
      await lockWaiters(app);
      await shop.call('DELETE', `/statuses/${status}`);
      await app.db.query(sql`delete from statuses where tenant_id = ${shop.id}`);
      return { running };
    });
    expect(await imported.running).toMatchObject({ created: 300, refused: 300 });
    const [, second] = parse(await readFile(report, 'utf8'));
    expect(second).toEqual(['2', 'status "lead" does not exist', 'N0', "'+14155551000", 'lead']);
  });

  test.each([
    ['nothing quoted after it', 'Oslo'],
    ['quoted cells after it', '"Oslo, Norway"'],
  ])('loses only the row of a quote that is never closed, with %s', async (_, city) => {
    const shop = await app.tenant({ number: false });
    const rows = Array.from(
      { length: 2_500 },
      (_, n) => `N${n},p${n}@x.com,+1415555${1000 + n},${city}\r\n`,
    );
    rows[10] = 'N10,"p10@x.com,+14155551010,Rome\r\n';
    const path = await file(`name,email,phone,city\r\n${rows.join('')}`);
    expect(await parley('import', shop.slug, path)).toMatchObject({ created: 2_499, refused: 1 });
    const report = await readFile(`${path}.refused.csv`, 'utf8');
    const [, refused] = parse(report, { relax_column_count: true });
    expect(refused!.slice(0, 4)).toEqual([
      ...['12', 'row opens a quote that is never closed', 'N10', '"p10@x.com'],
    ]);
  });

  test.each([
    ['', 'The file is empty.'],
    // UTF-16, which spreadsheets call "Unicode text".
    ['n\0a\0m\0e\0,\0p\0h\0o\0n\0e\0\n', 'The file is not UTF-8 text.'],
    ['name,"phone\nAnn,+14155550101\n', 'The first row opens a quote that is never closed.'],
    ['name,email\nAnn,a@b.de\n', 'none of them is "phone"'],
    [
      'Name,First Name,Phone\n',
      'The columns "Name" and "First Name" both mean firstname. Leave one out or rename it.',
    ],
  ])('refuses the file %j as a whole', async (content, message) => {
    const shop = await app.tenant({ number: false });
    await expect(parley('import', shop.slug, await file(content))).rejects.toThrow(message);
  });

  test('refuses a missing file, a folder, and an unknown tenant', async () => {
    const shop = await app.tenant({ number: false });
    await expect(parley('import', shop.slug, folder)).rejects.toThrow(`${folder} is a folder.`);
    await expect(parley('import', shop.slug, join(folder, 'nothing'))).rejects.toThrow('ENOENT');
    await expect(parley('import', 'nobody', join(folder, 'nothing'))).rejects.toThrow('nobody');
  });

  test('imports its own report after it was fixed', async () => {
    const shop = await app.tenant({ number: false });
    const rows = ["'=Ann,'+14155550101,none", "'-Bob,'+14155550102,", 'Cem,+14155550103,"a; =b"'];
    const first = await file(`name,phone,email\n${rows.join('\n')}\n`);
    await parley('import', shop.slug, first);
    const again = await file((await readFile(`${first}.refused.csv`, 'utf8')).replace('a;', 'a,'));
    await parley('import', shop.slug, again);
    const report = await readFile(`${again}.refused.csv`, 'utf8');
    expect(parse(report).map((cells) => cells.slice(4))).toEqual([
      ['name', 'phone', 'email'],
      ["'=Ann", "'+14155550101", 'none'],
      ['Cem', "'+14155550103", 'a, =b'],
    ]);
    await parley(
      'import',
      shop.slug,
      await file(report.replace('none', '').replace('a, =b', 'a@b.de')),
    );
    const found = (await contactsOf(shop)).map(({ firstname }: { firstname: string }) => firstname);
    expect(found.sort()).toEqual(['-Bob', '=Ann', 'Cem']);
  });

  test('never overwrites the imported file with the report', async () => {
    const shop = await app.tenant({ number: false });
    const path = await file('firstname,phone\r\nAda,12\r\n');
    const link = `${path}.link`;
    await symlink(path, link);
    for (const report of [path, link]) {
      await expect(parley('import', shop.slug, path, '--report', report)).rejects.toThrow(
        'would replace',
      );
    }
    expect(await readFile(path, 'utf8')).toContain('Ada');
  });

  test('says if the report of refused rows cannot be written', async () => {
    const shop = await app.tenant({ number: false });
    const good = Array.from({ length: 600 }, (_, n) => `Ada,+1415${5550000 + n}\r\n`).join('');
    const path = await file(`firstname,phone\r\nAda,12\r\n${good}`);
    const report = join(folder, 'nowhere', 'report.csv');
    await expect(parley('import', shop.slug, path, '--report', report)).rejects.toThrow('ENOENT');
  });

  test('continues where an aborted import stopped', async () => {
    const shop = await app.tenant({ number: false });
    const rows = Array.from(
      { length: 700 },
      (_, n) => `N${n},+1415555${String(n).padStart(4, '0')}`,
    );
    const path = await file(`firstname,phone\n${rows.join('\n')}\n`);
    const died = importContacts(app.db, shop.id, path, `${path}.refused`, {
      onImported: () => {
        if (++batches === 2) throw new Error('killed');
      },
    });
    let batches = 0;
    await expect(died).rejects.toThrow('killed');
    expect(await parley('import', shop.slug, path)).toMatchObject({ created: 200, unchanged: 500 });
  });

  test('and other writers of the same phones do not disturb each other', async () => {
    const shop = await app.tenant({ number: false });
    const phones = Array.from({ length: 300 }, (_, n) => `+1415555${String(n).padStart(4, '0')}`);
    const [down, up] = [
      await file(`firstname,phone\n${phones.map((phone) => `A,${phone}`).join('\n')}\n`),
      await file(
        `firstname,phone\n${phones
          .toReversed()
          .map((phone) => `B,${phone}`)
          .join('\n')}\n`,
      ),
    ];
    const [, , ...responses] = await Promise.all([
      importContacts(app.db, shop.id, down, `${down}.refused`),
      importContacts(app.db, shop.id, up, `${up}.refused`),
      ...phones
        .slice(0, 60)
        .map((phone) => shop.call('POST', '/contacts', { firstname: 'C', phone })),
    ]);
    for (const { status } of responses) expect([200, 422]).toContain(status);
    const { body } = await shop.call('GET', '/contacts');
    expect(body.pagination.total).toBe(300);
  });
});

describe('parley contact export', () => {
  test('writes a file that can be imported again and is harmless in a spreadsheet', async () => {
    const [shop, copy] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
    for (const tenant of [shop, copy]) {
      await tenant.call('POST', '/sources', { name: '@Fair, 2026' });
      await tenant.call('POST', '/groups', { name: 'VIP' });
      await tenant.call('POST', '/groups', { name: 'B' });
    }
    const source_id = (await shop.call('GET', '/sources')).body.data[0].id;
    const group_ids = (await shop.call('GET', '/groups')).body.data.map(
      ({ id }: { id: number }) => id,
    );
    const contacts = [
      { firstname: '=1+1', lastname: "'-x", phone: '+14155550101', source_id, group_ids },
      { firstname: '@SUM(A1)', lastname: "'=y", phone: '+14155550102', company: '"quoted", Inc;' },
      { firstname: '＝fullwidth', phone: '+14155550103', email: 'a@b.de', city: '-1' },
      { firstname: "''=1", phone: '+14155550104' },
    ];
    for (const contact of contacts) {
      expect((await shop.call('POST', '/contacts', contact)).status).toBe(200);
    }
    const path = join(folder, 'export.csv');
    expect(await parley('export', shop.slug, path)).toEqual({ exported: 4, file: path });
    const text = await readFile(path, 'utf8');
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    const headings = [
      ...['id', 'firstname', 'lastname', 'phone', 'email', 'company', 'city'],
      ...['status', 'source', 'groups', 'created_at'],
    ];
    expect(Object.keys(rows[0]!).filter((each) => headings.includes(each))).toEqual(headings);
    expect(rows[0]).toMatchObject({
      ...{ firstname: "'=1+1", lastname: "''-x", phone: "'+14155550101" },
      ...{ email: '', company: '', city: '', status: '', source: "'@Fair, 2026" },
      ...{ groups: 'VIP;B', created_at: expect.stringMatching(/Z$/) },
    });
    for (const cell of rows.flatMap((row) => Object.entries(row).flat()))
      expect(cell).not.toMatch(/^[=+\-@\t\r＝]/);

    expect(await parley('import', copy.slug, path)).toMatchObject({ created: 4, refused: 0 });
    const essence = async (tenant: TestTenant) =>
      (await contactsOf(tenant)).map(
        ({ firstname, lastname, phone, email, company, city, group_ids }: never) => ({
          ...{ firstname, lastname, phone, email, company, city },
          groups: (group_ids as number[]).length,
        }),
      );
    expect(await essence(copy)).toEqual(await essence(shop));
  });

  test('followed by an import gives every contact the same labels, whatever their names contain', async () => {
    const [shop, copy] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
    const names = [
      'a',
      'b',
      'a;b',
      'a|b',
      'a\\',
      '\\;b',
      'VIP',
      ' VIP ',
      "'=x",
      '=x',
      '"q"',
      'x;=1',
    ];
    const sets = [
      ['a;b'],
      ['a', 'b'],
      [' VIP ', '=x'],
      ['VIP', "'=x"],
      ['a\\', 'b'],
      ['a', 'a\\', '=x'],
    ];
    sets.push(names, ...names.map((name) => [name]), []);
    // Earlier versions kept spaces around names.
    const label = async (tenant: { id: number }, kind: string, name: string) => {
      const { rows } = await app.db.query<{ id: number }>(sql`
        insert into ${raw(kind)} (tenant_id, name) values (${tenant.id}, ${name}) returning id`);
      return rows[0]!.id;
    };
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await label(shop, 'groups', name));
    for (const name of names.toReversed()) await label(copy, 'groups', name);
    for (const name of ['VIP', ' VIP ', "'=x"]) {
      for (const tenant of [shop, copy]) await label(tenant, 'statuses', name);
    }
    const statuses = (await shop.call('GET', '/statuses')).body.data;
    for (const [n, set] of sets.entries()) {
      const contact = {
        ...{ firstname: 'Ann', phone: `+1415555${1000 + n}`, status_id: statuses[n % 3].id },
        group_ids: set.map((name) => ids.get(name)),
      };
      expect((await shop.call('POST', '/contacts', contact)).status).toBe(200);
    }
    const path = join(folder, 'labels.csv');
    await parley('export', shop.slug, path);
    expect(await parley('import', shop.slug, path)).toMatchObject({ unchanged: sets.length });
    expect(await parley('import', copy.slug, path)).toMatchObject({ created: sets.length });
    const { rows } = await app.db.query<{ status: string; groups: string[] }>(sql`
      select statuses.name as status, array(
               select groups.name from contact_groups
               join groups on groups.tenant_id = ${copy.id} and groups.id = group_id
               where contact_groups.tenant_id = ${copy.id} and contact_id = contacts.id) as groups
      from contacts
      join statuses on statuses.tenant_id = ${copy.id} and statuses.id = status_id
      where contacts.tenant_id = ${copy.id} order by contacts.id`);
    expect(rows.map((row) => row.groups.sort())).toEqual(sets.map((set) => set.toSorted()));
    expect(rows.map((row) => row.status)).toEqual(sets.map((_, n) => statuses[n % 3].name));
  });

  test('creates the file only when it is complete, with the permissions of the file that it replaces', async () => {
    const shop = await app.tenant({ number: false });
    await expect(parley('export', shop.slug, folder)).rejects.toThrow(`${folder} is a folder.`);
    await insertContacts(
      app.db,
      'tenant_id, firstname, phone',
      sql`
        select ${shop.id}, 'Ada', '+1415' || (5550000 + n) from generate_series(1, 2500) as n`,
    );
    const path = await file('of yesterday');
    await chmod(path, 0o640);
    const seen = new Set<string>();
    let isDone = false;
    const exported = parley('export', shop.slug, path).finally(() => {
      isDone = true;
    });
    while (!isDone) seen.add(await readFile(path, 'utf8'));
    expect(await exported).toMatchObject({ exported: 2_500 });
    const whole = await readFile(path, 'utf8');
    expect(parse(whole, { bom: true })).toHaveLength(2_501);
    expect([...seen].filter((text) => text !== whole)).toEqual(['of yesterday']);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await expect(stat(`${path}.part`)).rejects.toThrow('ENOENT');

    const fresh = join(folder, 'fresh.csv');
    await parley('export', shop.slug, fresh);
    expect((await stat(fresh)).mode & 0o777).toBe(0o600);
  });

  test('can be piped into an import', async () => {
    const [shop, copy] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
    for (const tenant of [shop, copy]) {
      await tenant.call('POST', '/groups', { name: 'VIP' });
    }
    await insertContacts(
      app.db,
      'tenant_id, firstname, phone',
      sql`
        select ${shop.id}, 'Ada', '+1415' || (5550000 + n) from generate_series(1, 300) as n`,
    );
    const command = shellParley();
    const run = (line: string) => promisify(exec)(line, { cwd: folder });
    await run(
      `${command} contact export ${shop.slug} - | ${command} contact import ${copy.slug} -`,
    );
    const both = await Promise.all([shop, copy].map(contactsOf));
    const phones = both.map((found) => found.map(({ phone }: { phone: string }) => phone));
    expect(phones[1]).toEqual(phones[0]);
    expect((await copy.call('GET', '/contacts')).body.pagination.total).toBe(300);

    await run(`${command} contact export ${shop.slug} /dev/stdout > whole.csv`);
    const lines = (await readFile(join(folder, 'whole.csv'), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(301);
    expect(lines[0]).toMatch(/^\ufeffid,firstname,/);
    // The reader may close the pipe early.
    expect((await run(`${command} contact export ${shop.slug} - | true`)).stderr).toBe('');

    const refused = `printf 'name,phone\\nAnn,12\\n' | ${command} contact import ${copy.slug}`;
    expect((await run(`${refused} /dev/stdin`)).stdout).toContain('1 refused');
    expect(await readFile(join(folder, 'contacts.refused.csv'), 'utf8')).toContain('Ann,12');
    await expect(parley('export', shop.slug, '-')).rejects.toThrow(
      'both the contacts and the result of --json',
    );
  });

  test('shows progress on a terminal, as an import does, and not elsewhere', async () => {
    const shop = await app.tenant({ number: false });
    await insertContacts(
      app.db,
      'tenant_id, firstname, phone',
      sql`
        select ${shop.id}, 'Ada', '+1415' || (5550000 + n) from generate_series(1, 2500) as n`,
    );
    const path = join(folder, 'shown.csv');
    const command = shellParley();
    const run = (line: string) => promisify(exec)(line, { cwd: folder });
    for (const [what, output] of [
      ['export', '2500 contacts written'],
      ['import', '2500 unchanged'],
    ]) {
      const line = `${command} contact ${what} ${shop.slug} ${path}`;
      // It has a terminal there.
      const { stdout: seen } = await run(`script -qec '${line}' /dev/null`);
      expect(seen).toMatch(/░ 0 %/);
      expect(seen).toMatch(/█ 100 %/);
      // No other message about time, such as an unknown time left.
      expect(seen.replaceAll(/, \d+ s left/g, '')).not.toContain('left');
      expect(seen).toContain(output);
      const { stdout, stderr } = await runCommand(['contact', what!, shop.slug, path]);
      expect([stdout.trim(), stderr]).toEqual([expect.stringContaining(output!), '']);
    }
    const { stdout: amongThem } = await run(
      `script -qec '${command} contact export ${shop.slug} -' /dev/null`,
    );
    expect(amongThem.split('\n').filter((text) => text.includes('%'))).toEqual([]);
  });

  test('says that the disk is full, however little is written', async () => {
    const shop = await app.tenant({ number: false });
    await expect(parley('export', shop.slug, '/dev/full')).rejects.toThrow('ENOSPC');
  });
});
