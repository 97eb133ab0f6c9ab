import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database/database.ts';
import { testStore } from '../../../../test/features/stores.ts';
import {
  databaseSettings,
  openTestApp,
  type TestApp,
  testApp,
} from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { cellCommands } from './cell.ts';

const app = testApp({ PARLEY_CELL: 'eu1' });
let folder: string;
const other = {} as TestApp;
let closeOther: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-cells-'));
  const database = await createTestDatabase();
  closeOther = await openTestApp(other, { database, settings: { PARLEY_CELL: 'eu2' } });
});
const { run, parley } = testCommand(app, cellCommands, () => ({
  PARLEY_CELL: 'eu1',
  PARLEY_CELLS_DIR: folder,
  PARLEY_PROXY_MAPS: folder,
}));
afterAll(async () => {
  await closeOther();
  await rm(folder, { recursive: true });
});

test('the maps have every tenant, and every address that the prefix of the cell does not cover', async () => {
  const shop = await app.tenant();
  const moved = await app.tenant();
  const store = await testStore(app, moved);
  expect(await run('map', 'addresses')).toBe('eu1- eu1\n');
  expect(await run('map', 'tenants')).toBe(`${shop.slug} eu1\n${moved.slug} eu1\n`);

  await app.db.pool.query(
    `update stores set webhook_id = 'us2-' || repeat('a', 32) where id = ${store.id};
     update numbers set callback_id = repeat('b', 32) where tenant_id = ${moved.id}`,
  );
  const { cell, keys } = await parley('map', 'addresses');
  expect({ cell, keys }).toEqual({
    cell: 'eu1',
    keys: ['eu1-', 'b'.repeat(32), `us2-${'a'.repeat(32)}`],
  });
  await expect(run('map', 'everything')).rejects.toThrow('tenants, addresses');
  vi.stubEnv('PARLEY_CELL', '');
  await expect(run('map', 'tenants')).rejects.toThrow('has no name: PARLEY_CELL');
  vi.stubEnv('PARLEY_CELL', 'eu1');
});

test('the maps of all cells are written as a whole, or not at all', async () => {
  const [here, there] = [await app.tenant({ number: false }), await other.tenant()];
  const cell = (url: string) => `PARLEY_CELL=eu2\nDATABASE_URL='${url}'\n`;
  const right = cell(databaseSettings(other).DATABASE_URL!);
  const write = (settings: string) => writeFile(join(folder, 'eu2.env'), settings);
  const maps = () =>
    Promise.all(
      ['tenants', 'addresses'].map((name) => readFile(join(folder, `${name}.map`), 'utf8')),
    );
  await write(right);
  expect(await run('write-maps')).toMatch(/^Wrote \d+ tenants and \d+ addresses of eu1, eu2\.\n$/);
  const written = await maps();
  expect(written[0]).toContain(`\n${here.slug} eu1\n`);
  expect(written[0]).toContain(`\n${there.slug} eu2\n`);
  expect(written[1]).toMatch(/^eu1- eu1\n[\s\S]*eu2- eu2\n$/);

  const later = await app.tenant({ number: false });
  await write(cell('postgres://127.0.0.1:1/nowhere'));
  await expect(run('write-maps')).rejects.toThrow('ECONNREFUSED');
  expect(await maps()).toEqual(written);
  await rm(join(folder, 'eu2.env'));
  await expect(run('write-maps')).rejects.toThrow(
    'has tenants of the cell "eu2", which has no file',
  );
  await write(right);

  const copy = await other.tenant({ number: false });
  await other.db.pool.query('update tenants set slug = $1 where id = $2', [later.slug, copy.id]);
  await expect(run('write-maps')).rejects.toThrow(`${later.slug} is in eu1 and in eu2`);
  await other.db.pool.query(
    `insert into tenant_moves (tenant_id, id, state, other_cell, held_at)
     values ($1, 1, 'arrived', 'eu1', now())`,
    [copy.id],
  );
  await expect(run('write-maps')).rejects.toThrow(
    `The move of ${later.slug} to eu2 is not finished`,
  );
  expect(await maps()).toEqual(written);
  await other.db.pool.query(`update tenant_moves set state = 'arriving'`);
  await run('write-maps');
  expect((await maps())[0]).toContain(`\n${later.slug} eu1\n`);
});
