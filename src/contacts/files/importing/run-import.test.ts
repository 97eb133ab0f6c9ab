import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { sameOrigin, signIn } from '../../../../test/features/sign-in.ts';
import { call, testApp } from '../../../../test/program/app.ts';
import { type Coded, faultText } from '../../../../web/texts/faults.ts';
import { buildApp } from '../../../app.ts';
import { importContacts } from './import-contacts.ts';

const app = testApp();

type ShownRow = {
  line: number;
  reasons: { field: string | null; text: string; says: Coded }[];
};

/** Uploads a file in the dashboard, and waits until it is imported. */
async function upload(text: string, choices = '') {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const path = `/dashboard-api/${shop.slug}/contacts/imports`;
  const headers = { ...sameOrigin, cookie: owner.cookie, 'content-type': 'text/csv' };
  const { body } = await call(app, 'POST', `${path}?filename=people.csv${choices}`, text, headers);
  const ended = await eventually(async () => {
    const { data } = (await owner.call('GET', '/contacts/imports')).body;
    return data[0].state !== 'running' && data[0];
  });
  const report = await owner.call('GET', `/contacts/imports/${body.data.id}/report`);
  const shown = await owner.call('GET', `/contacts/imports/${body.data.id}/refused-rows`);
  const rows: string[][] = parse(report.body, { relax_column_count: true });
  return { ended, rows, shown: shown.body.data as ShownRow[], owner, shop, id: body.data.id };
}

test('an import says which columns it ignored, which labels are missing, and which rows share a phone', async () => {
  const text = [
    'name,phone,Mobile Phone Number 2,tags,Note',
    'Anna Alt,+4915180000020,,,x',
    'Anna Neu,+4915180000020,,,',
    'Bob,4915180000021,,vip,',
  ].join('\n');
  const first = await upload(text);
  expect(first.ended).toMatchObject({
    ...{ created: 1, refused: 1, same_phone: 1 },
    ...{ checked_rows: null, read_columns: [] },
    ignored_columns: ['Mobile Phone Number 2', 'Note'],
    missing_labels: [{ label: 'group', name: 'vip', rows: 1 }],
  });
  const check = await upload(text, '&check=only&phones=without_plus');
  expect(check.ended).toMatchObject({
    ...{ state: 'done', created: 0, checked_rows: 2, refused: 1, has_report: true },
    read_columns: [
      { heading: 'name', column: 'firstname' },
      { heading: 'phone', column: 'phone' },
      { heading: 'tags', column: 'groups' },
    ],
  });
  expect((await check.shop.call('GET', '/contacts')).body.data).toEqual([]);
  const second = await upload(text, '&phones=without_plus&labels=create');
  expect(second.ended).toMatchObject({ created: 2, refused: 0, missing_labels: [] });

  const columns = Array.from({ length: 150 }, (_, n) => `${'x'.repeat(500)}${n}`);
  const { ended } = await upload(`phone,${columns.join(',')}\n+4915180000020\n`);
  expect(ended.ignored_columns).toHaveLength(100);
  expect(ended.ignored_columns[0]).toBe(`${'x'.repeat(99)}…`);
  await app.db.query(sql`
    update contact_imports set ignored_columns = null, missing_labels = null, same_phone = null
    where id = ${first.id}`);
  expect((await first.owner.call('GET', '/contacts/imports')).body.data).toMatchObject([
    { ignored_columns: [], missing_labels: [], same_phone: 0 },
  ]);
  const wrong = await call(
    app,
    'POST',
    `/dashboard-api/${first.shop.slug}/contacts/imports?filename=people.csv&phones=yes`,
    text,
    { ...sameOrigin, cookie: first.owner.cookie, 'content-type': 'text/csv' },
  );
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['phones']]);
});

test('a refused row with a NUL does not break the import or its report', async () => {
  const { ended, rows } = await upload(
    'name,phone,status,Note\nA\0nn,+14155550101,,x\nBob,+14155550102,St\0,\nCem,+14155550103,,\n',
  );
  expect(ended).toMatchObject({ state: 'done', created: 1, refused: 2, has_report: true });
  expect(rows).toEqual([
    ['line', 'reason', 'name', 'phone', 'status', 'Note'],
    ['2', expect.stringContaining('not valid UTF-8'), 'A\ufffdnn', "'+14155550101", '', 'x'],
    [
      '3',
      'row has bytes that are not valid UTF-8. Save the original file as "CSV UTF-8"',
      'Bob',
      "'+14155550102",
      'St\ufffd',
      '',
    ],
  ]);
});

test('a refused row with half of a surrogate pair does not break the import', async () => {
  const { ended, shown } = await upload(
    'name,phone,metadata\nAnn,+14155550101,"{""\\ud800"":{}}"\nBob,+14155550102,\n',
  );
  expect(ended).toMatchObject({ state: 'done', created: 1, refused: 1, has_report: true });
  expect(shown).toMatchObject([{ line: 2 }]);
});

test('refused rows are shown with reasons in the words of the dashboard, to members of the tenant', async () => {
  const many = Array.from({ length: 12 }, (_, n) => `G${n}`).join(';');
  const { shown, rows, id } = await upload(
    [
      'name,phone,email,status,groups',
      ',12,x,,',
      'Bob,+14155550102,,G\0ne,',
      'Bob,+14155550102,,Gone,',
      `Cem,+14155550103,,,${many}`,
      '"Dan\nDot",+14155550104,,,',
      '"never closed',
    ].join('\n'),
  );
  const worded = shown.map(({ line, reasons }) => [
    line,
    ...reasons.map(({ field, says }) => [field, faultText(says)]),
  ]);
  expect(worded).toEqual([
    [
      2,
      ['phone', expect.stringMatching(/^Enter a phone number/)],
      ['email', expect.stringMatching(/^Enter an email address/)],
    ],
    [
      3,
      [null, 'The row has bytes that are not valid UTF-8. Save the original file as “CSV UTF-8”.'],
    ],
    [4, [null, 'The status “Gone” does not exist.']],
    [
      5,
      ...Array.from({ length: 10 }, (_, n) => [null, `The group “G${n}” does not exist.`]),
      [null, '2 more do not exist either.'],
    ],
    [
      6,
      ['firstname', expect.stringMatching(/^Use one line/)],
      [null, 'A quote extends the row to line 7.'],
    ],
    [8, [null, 'The row opens a quote that is never closed.']],
  ]);
  expect(rows.map(([line]) => line)).toEqual(['line', ...shown.map(({ line }) => `${line}`)]);
  const stranger = await signIn(app, await app.tenant());
  for (const part of ['refused-rows', 'report'])
    expect((await stranger.call('GET', `/contacts/imports/${id}/${part}`)).status).toBe(404);
});

test('an import ends with the service, is shown as failed, and does not block the next', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const rows = Array.from({ length: 2_000 }, (_, n) => `Ann,+4915${100_000_000 + n}\n`);
  const service = await buildApp(app.services);
  const taken = await service.inject({
    method: 'POST',
    url: `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`,
    headers: { ...sameOrigin, cookie: owner.cookie, 'content-type': 'text/csv' },
    payload: `name,phone\n${rows.join('')}`,
  });
  expect(taken.statusCode).toBe(200);
  await service.close();
  const { data } = (await owner.call('GET', '/contacts/imports')).body;
  const problem =
    'The service was stopped meanwhile. What was imported stays; it is safe to import the file again.';
  expect(data).toMatchObject([{ state: 'failed', problem }]);
});

test('an import whose process died is shown as failed after a while, and does not block the next', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await app.db.query(sql`
    insert into contact_imports (tenant_id, filename, bytes, heard_at)
    values (${shop.id}, 'lost.csv', 10, now() - interval '31 seconds')`);
  const lost = {
    filename: 'lost.csv',
    state: 'failed',
    problem:
      'The import was cut off. What was imported stays; it is safe to import the file again.',
  };
  expect((await owner.call('GET', '/contacts/imports')).body.data).toMatchObject([lost]);
  const headers = { ...sameOrigin, cookie: owner.cookie, 'content-type': 'text/csv' };
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=next.csv`;
  const next = await call(app, 'POST', path, 'name,phone\nAnn,+14155550101\n', headers);
  expect(next.status).toBe(200);
  const states = await eventually(async () => {
    const { data } = (await owner.call('GET', '/contacts/imports')).body;
    return data[0].state !== 'running' && data;
  });
  expect(states).toMatchObject([{ filename: 'next.csv', state: 'done' }, lost]);
});

test('a report that becomes too long ends with a complete row and the number of the others', async () => {
  const note = `"${'x'.repeat(9_997)}\nx"`;
  const text = `name,phone,note\n${`Ann,12,${note}\n`.repeat(600)}`;
  const { ended, rows } = await upload(text);
  expect(ended).toMatchObject({ state: 'done', created: 0, refused: 600 });
  const listed = rows.slice(1, -1);
  expect(listed.length).toBeGreaterThan(500);
  for (const [, , name, , cell] of listed) expect([name, cell?.length]).toEqual(['Ann', 9_999]);
  expect(rows.at(-1)).toEqual([
    '',
    `${600 - listed.length} more were refused, for which there is no room here`,
  ]);
});

test('at most 50 refused rows are shown, and none of an import of an earlier release', async () => {
  const long = await upload(
    `name,phone,status\n${`Ann,+14155550101,${'x'.repeat(20_000)}\n`.repeat(5)}`,
  );
  expect(long.shown.map(({ line }) => line)).toEqual([2, 3]);
  const many = await upload(`name,phone\n${'Ann,12\n'.repeat(60)}`);
  expect(many.shown.length).toBe(50);
  await app.db.query(sql`update contact_imports set refused_rows = null where id = ${many.id}`);
  const path = `/contacts/imports/${many.id}/refused-rows`;
  expect((await many.owner.call('GET', path)).body.data).toEqual([]);
});

test('a row with very many groups is refused with a short reason', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `G${n}`).join(';');
  const { ended, rows } = await upload(
    `name,phone,groups\nAnn,+14155550101,${names(1_001)}\nBob,+14155550102,${names(1_000)}\n`,
  );
  expect(ended).toMatchObject({ state: 'done', created: 0, refused: 2 });
  const [tooMany, unknown] = rows.slice(1).map(([, reason]) => reason!);
  expect(tooMany).toBe('groups must be at most 1,000 names');
  expect(unknown).toMatch(/^group "G0" does not exist; .*"G9" does not exist; nor do 990 more$/);
});

test('rows with very many empty cells are read into memory a few at a time', async () => {
  const shop = await app.tenant();
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'contacts.csv');
  await writeFile(path, `name,phone\n${`Ann,1${','.repeat(16_000)}\n`.repeat(30)}`);
  let batches = 0;
  const counts = await importContacts(app.db, shop.id, path, `${path}.refused`, {
    onImported: () => batches++,
  });
  await rm(folder, { recursive: true });
  expect(counts).toMatchObject({ created: 0, refused: 30 });
  expect(batches).toBe(2);
});
