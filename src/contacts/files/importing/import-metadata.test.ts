import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/program/app.ts';
import { exportContacts } from '../export-contacts.ts';
import { importContacts } from './import-contacts.ts';

const app = testApp();

test('external ids and metadata are imported, merged, refused where they cannot be, and exported', async () => {
  const shop = await app.tenant({ number: false });
  const folder = await mkdtemp(join(tmpdir(), 'parley-metadata-'));
  const path = join(folder, 'people.csv');
  const load = async (text: string) => {
    await writeFile(path, text);
    return importContacts(app.db, shop.id, path, `${path}.refused`);
  };
  const read = async (csv: string): Promise<Record<string, string>[]> =>
    parse(await readFile(csv, 'utf8'), { columns: true, bom: true });
  try {
    const first = await load(
      [
        'name,phone,External ID,metadata.plan,Metadata.größe,metadata',
        'Ann,+14155550101,crm-1,gold,,"{""since"":""2020"",""plan"":""old""}"',
        'Bob,+14155550102,,,,',
        'Cem,+14155550103,crm-1,,,',
        'Dan,+14155550104,crm-4,silver,L,',
        'Dan,+14155550104,,,M,"{""x"":""=1;=2""}"',
        'Eve,+14155550105,,,,not json',
        'Fay,+14155550106,,,,"{""a"":{}}"',
        'Gus,+14155550107,,,,"{""email"":""x""}"',
      ].join('\n'),
    );
    // The two rows of one phone are one contact.
    expect(first).toMatchObject({ created: 3, refused: 4, ignoredColumns: [] });
    const reasons = (await read(`${path}.refused`)).map(({ line, reason }) => [line, reason]);
    expect(reasons).toEqual([
      ['4', 'external_id already belongs to another contact'],
      ['7', expect.stringMatching(/^metadata must be an object/)],
      ['8', 'metadata.a must be a string'],
      ['9', expect.stringMatching(/^metadata must not have the name of a field/)],
    ]);
    const { data } = (await shop.call('GET', '/contacts')).body;
    expect(data).toMatchObject([
      { external_id: 'crm-1', metadata: { plan: 'gold', since: '2020' } },
      { external_id: null, metadata: {} },
      { external_id: 'crm-4', metadata: { plan: 'silver', größe: 'M', x: '=1;=2' } },
    ]);

    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'v'])),
    ).replaceAll('"', '""');
    const second = await load(
      `name,phone,external_id,metadata\nBob,+14155550102,crm-4,\nAnn,+14155550101,,"${many}"\nAnn,+14155550101,,"{""plan"":""gold""}"`,
    );
    expect(second).toMatchObject({ created: 0, updated: 0, unchanged: 1, refused: 2 });
    const tooMany =
      'metadata must have at most 50 entries together with those that the contact has';
    expect((await read(`${path}.refused`)).map(({ reason }) => reason)).toEqual([
      'external_id already belongs to another contact',
      tooMany,
    ]);
    // Two rows that have too many together, and a third that fits after the first.
    const third = await load(
      `name,phone,metadata\nBob,+14155550102,"${many}"\nBob,+1 (415) 555-0102,"{""a"":""x"",""b"":""y""}"\nBob,+14155550102,"{""c"":""d""}"`,
    );
    expect(third).toMatchObject({ updated: 1, refused: 1 });
    expect((await read(`${path}.refused`)).map(({ line, reason }) => [line, reason])).toEqual([
      ['3', tooMany],
    ]);
    await shop.call('PUT', `/contacts/${data[1].id}`, { metadata: null });

    const exported = join(folder, 'exported.csv');
    await exportContacts(app.db, shop.id, exported);
    const other = await app.tenant({ number: false });
    const again = await importContacts(app.db, other.id, exported, `${path}.refused`);
    const ignoredColumns = ['id', 'user_id', 'username', 'created_at'];
    expect(again).toMatchObject({ created: 3, refused: 0, ignoredColumns });
    const essence = ({ phone, external_id, metadata }: Record<string, unknown>) => ({
      phone,
      external_id,
      metadata,
    });
    const copies = (await other.call('GET', '/contacts')).body.data;
    expect(copies.map(essence)).toEqual(data.map(essence));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
