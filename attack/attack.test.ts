import { expect, test } from 'vitest';
import { copyCluster } from '../test/database/copy-cluster.ts';
import { testApp } from '../test/program/app.ts';
import { attackAll } from './attack-all.ts';
import { apiRules, dashboardRules } from './permissions.ts';
import { Tally } from './tally.ts';

const app = testApp();

test('a short attack finds no server error, hang, leak or breach', {
  timeout: 300_000,
}, async () => {
  const { tally, beside } = await attackAll({
    inputs: 150,
    seed: 7,
    isTimed: false,
    copyDatabase: (dataDir) => copyCluster(dataDir, 'migrated'),
    aloneMs: 100,
    settleMs: 0,
  });

  expect(tally.faults).toEqual([]);
  // Each campaign must have reached what it attacks: a check whose requests are all refused finds nothing.
  const reached = [...tally.campaigns].filter(([, { statuses }]) =>
    Object.keys(statuses).some((status) => !['401', '403', '404', '429'].includes(status)),
  );
  expect(reached.map(([name]) => name).sort()).toEqual([
    'api requests',
    'callbacks',
    'csv files',
    'dashboard requests',
    'http2 frames',
    'media servers',
    'permission matrix',
    'raw sockets',
    'store posts',
  ]);
  expect(beside.reduce((sum, { window }) => sum + window.failures, 0)).toBe(0);
});

test('every route of the API and the dashboard has a rule in the permission matrix', () => {
  const routes = [...routesOf(app.app.printRoutes({ commonPrefix: false, includeMeta: false }))];
  // Fastify's route tree omits wildcards. The network's ids of messages have slashes.
  const wildcard = '/messages/:message_id';
  const expectRules = (prefix: string, rules: { method: string; path: string }[]) => {
    expect(app.app.hasRoute({ method: 'GET', url: `${prefix}/messages/*` })).toBe(true);
    const known = rules
      .filter(({ path }) => path !== wildcard)
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
    const found = routes
      .filter(({ path }) => path.startsWith(prefix) && !path.endsWith('*'))
      .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`)
      .sort();
    expect(known).toEqual(found);
  };
  expectRules('/api/:tenant', apiRules);
  expectRules('/dashboard-api/:tenant', dashboardRules);
});

test('a tally counts faults by kind and keeps their details', () => {
  const tally = new Tally();
  for (let each = 0; each < 60; each++) {
    tally.fault({ kind: 'leak', campaign: 'test', detail: String(each) });
  }
  expect(tally.countOf('leak')).toBe(60);
  expect(tally.countOf('hang')).toBe(0);
  expect(tally.faults).toHaveLength(50);
});

/** Parses Fastify's route tree: four columns of indentation per level, methods in brackets. */
function* routesOf(drawing: string): Generator<{ method: string; path: string }> {
  const parents: string[] = [];
  for (const line of drawing.split('\n')) {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) continue;
    const [, indent = '', part = '', methods = ''] = match;
    const depth = indent.length / 4;
    parents[depth] = part;
    const path = parents
      .slice(0, depth + 1)
      .join('')
      .replace('//', '/');
    for (const method of methods.split(', ').filter(Boolean)) {
      if (method !== 'HEAD') yield { method, path };
    }
  }
}
