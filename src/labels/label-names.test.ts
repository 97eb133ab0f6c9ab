import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/database/database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { labelKinds } from './label-kinds.ts';

const migrations = new URL('../../migrations/', import.meta.url);

/** Creates a folder with the migrations before `until`. */
async function migrationsBefore(until: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of (await readdir(migrations)).filter((each) => each < until)) {
    await copyFile(new URL(name, migrations), join(folder, name));
  }
  return pathToFileURL(`${folder}/`);
}

test.each(Object.keys(labelKinds))(
  'an upgrade renames the younger of two %s whose names have become equal',
  async (kind) => {
    const { db, drop } = await createTestDatabase({ isEmpty: true });
    onTestFinished(drop);
    await migrate(db.pool, await migrationsBefore('0044'));
    const { rows } = await db.query<{ id: number }>(sql`
      insert into tenants (slug, name, plan) values ('a', 'A', 'starter'), ('b', 'B', 'starter')
      returning id`);
    const [one, other] = rows.map(({ id }) => id);
    const long = 'x'.repeat(253);
    const names = [
      [one, 'Straße'],
      [one, 'STRASSE'],
      [one, 'strasse (2)'],
      [one, 'STRAßE'],
      [one, 'ışık'],
      [one, 'IŞIK'],
      [one, `${long}ß`],
      [one, `${long}SS`],
      [other, 'Strasse'],
    ] as const;
    // One statement each, because the order of the ids shows which is older.
    for (const [tenantId, name] of names) {
      await db.query(sql`
        insert into ${raw(kind)} (tenant_id, name) values (${tenantId}, ${name})
        on conflict do nothing`);
    }
    await db.query(sql`
      insert into ${raw(kind)} (tenant_id, name, deleted_at) values (${one}, 'strasse', now())`);
    const read = async () =>
      (
        await db.query<{ name: string; moved: boolean }>(sql`
          select name, updated_at > created_at as moved from ${raw(kind)}
          where deleted_at is null order by id`)
      ).rows;
    const before = await read();
    await migrate(db.pool);
    expect(await read()).toEqual(
      before.map(({ name }) => {
        const renamed = {
          STRASSE: 'STRASSE (3)',
          IŞIK: 'IŞIK (2)',
          [`${long}SS`]: `${long.slice(2)} (2)`,
        }[name];
        return { name: renamed ?? name, moved: renamed !== undefined };
      }),
    );
  },
);
