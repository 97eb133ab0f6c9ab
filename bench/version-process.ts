import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * One checkout of Parley with its own database. It is started with its root, and reports its port and tokens.
 */
const [root, networkUrl, tokenCount] = process.argv.slice(2) as [string, string, string];

type Helpers = typeof import('./open-place.ts') &
  typeof import('./seed-tenant.ts') &
  typeof import('./processes.ts');

const load = (file: string) => import(pathToFileURL(join(root, 'bench', file)).href);
const { openPlace, seedSender, startServer } = {
  ...(await load('open-place.ts')),
  ...(await load('seed-tenant.ts')),
  ...(await load('processes.ts')),
} as Helpers;

const { dataDir, environment, services } = await openPlace();
const { tokens } = await seedSender(services, 'bench', Number(tokenCount));
const server = await startServer('bench/parley.ts', {
  ...environment,
  PARLEY_NETWORK_URL: networkUrl,
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_PORT: '0',
});
// SIGTERM ends this process, and the place ends the database with it.
process.once('exit', () => server.child.kill('SIGKILL'));
process.send?.({ port: server.port, pid: server.child.pid, dataDir, tokens });
