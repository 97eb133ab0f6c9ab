import { expect, test, vi } from 'vitest';
import { testStore } from '../../../test/features/stores.ts';
import { testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { cellCommands } from './cell.ts';

const app = testApp({ PARLEY_CELL: 'eu1' });
const { run, parley } = testCommand(app, cellCommands, () => ({ PARLEY_CELL: 'eu1' }));

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
});
