import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../checks/eventually.ts';
import { copyCluster } from '../database/copy-cluster.ts';
import { runParley, spawnParley } from '../program/bin-parley.ts';
import { failureOf, newPlace, readyPlace } from '../program/new-place.ts';
import { processesOf } from '../program/start-service.ts';

describe('the command', () => {
  test('works without a running service, and stops the database afterwards', async () => {
    const place = await newPlace();
    await copyCluster(place.dataDir);
    const migrate = async () => JSON.parse(await place.parley('migrate', '--json')).migrations;
    expect(await migrate()).toContain('0001_tenants.sql');
    expect(await migrate()).toEqual([]);
    await runParley(['tenant', 'create', 'shop'], place.environment);
    expect(JSON.parse(await place.parley('tenant', 'list', '--json')).tenants).toMatchObject([
      { slug: 'shop' },
    ]);
    expect(await processesOf(place)).toEqual([]);

    // Also when interrupted, here while it waits for standard input.
    const waiting = spawnParley(['contact', 'import', 'shop', '-'], place.environment);
    const exited = once(waiting, 'exit');
    const lock = join(place.dataDir, 'postgres/data/postmaster.pid');
    await eventually(async () => /ready/.test(await readFile(lock, 'utf8').catch(() => '')));
    waiting.kill('SIGINT');
    expect(await exited).toEqual([null, 'SIGINT']);
    await eventually(async () => (await processesOf(place)).length === 0);
  });

  test('exits quietly and completely if its output is not read', async () => {
    const place = await readyPlace();
    const list = spawnParley(['tenant', 'list'], place.environment);
    let complaint = '';
    list.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    list.stdout.destroy();
    const [code] = await once(list, 'close');
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(await processesOf(place)).toEqual([]);
  });

  test('reports all invalid settings together', async () => {
    const place = await newPlace({
      PARLEY_HOST: 'nowhere',
      PARLEY_MASTER_KEY: 'short',
      PARLEY_ROLES: 'king',
    });
    const error = await failureOf(place, 'serve');
    expect(error.code).toBe(1);
    expect(error.stderr).toMatch(
      /PARLEY_HOST must be.*PARLEY_MASTER_KEY must be.*PARLEY_ROLES must be/,
    );
    expect(error.stderr).not.toContain('short');
  });
});
