import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { removeLeftovers } from './remove-leftovers.ts';

const app = testApp();

/** Creates a folder with a file of contacts that was changed some hours ago. */
async function leave(kind: 'imports' | 'exports', name: string, hoursOld = 0): Promise<void> {
  const path = join(app.services.config.dataDir, kind, name);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'contacts.csv'), 'firstname,phone\n');
  const then = Date.now() / 1000 - hoursOld * 3600;
  await utimes(path, then, then);
}

function namesIn(kind: 'imports' | 'exports'): Promise<string[]> {
  return readdir(join(app.services.config.dataDir, kind));
}

async function insertImport(state: string, secondsSilent: number): Promise<string> {
  const { id } = await app.tenant({ number: false });
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into contact_imports (tenant_id, filename, bytes, state, heard_at)
    values (${id}, 'people.csv', 1, ${state}, now() - ${secondsSilent} * interval '1 second')
    returning id`);
  return String(rows[0]!.id);
}

test('nothing fails if nothing was ever uploaded', async () => {
  await removeLeftovers(app.services);
});

test('the file of an import is removed as soon as no process works on it', async () => {
  const live = await insertImport('running', 5);
  const dead = [await insertImport('running', 31), await insertImport('failed', 0)];
  for (const name of [live, ...dead, '999999', 'unknown']) await leave('imports', name);
  await removeLeftovers(app.services);
  expect(await namesIn('imports')).toEqual([live]);
});

test('the files of an export that a killed process left behind are removed after a day', async () => {
  await leave('exports', 'export-old', 25);
  await leave('exports', 'export-new', 23);
  await removeLeftovers(app.services);
  expect(await namesIn('exports')).toEqual(['export-new']);
});
