import cluster from 'node:cluster';
import type { Command } from 'commander';
import { readConfig, unknownSettings } from '../config.ts';
import type { Running } from '../main.ts';

/** After this the process ends even if something hangs. */
const longestCloseMs = 4_500;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the API, the dashboard and the workers (PARLEY_ROLES picks some).')
    .option('--json', 'print one JSON object once the service is ready')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      if (config.processes > 1 && cluster.isPrimary) return superviseProcesses(config.processes);
      // Only here: the other commands start faster without the whole service.
      const { start } = await import('../main.ts');
      const running = await start(config, { simulator: false });
      closeOnSignal(running);
      for (const name of unknownSettings()) {
        running.services.log.warn(`${name} is not a setting of Parley`);
      }
      if (json)
        process.stdout.write(
          `${JSON.stringify({ url: running.url, authority: running.authorityPath })}\n`,
        );
      running.services.log.info({ url: running.url, authority: running.authorityPath }, 'serving');
    });
}

/** SIGINT and SIGTERM end the service in order; a second one, or too long a wait, at once. */
export function closeOnSignal(running: Running): void {
  let closing = false;
  const onSignal = () => {
    if (closing) process.exit(1);
    closing = true;
    setTimeout(() => process.exit(1), longestCloseMs).unref();
    running.close().then(
      () => process.exit(0),
      (err) => {
        running.services.log.error({ err }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** Several processes share the port; one that dies is replaced, not faster than one a second. */
function superviseProcesses(count: number): void {
  let stopping = false;
  for (let each = 0; each < count; each++) cluster.fork();
  cluster.on('exit', (_worker, code) => {
    if (!stopping) setTimeout(() => !stopping && cluster.fork(), 1_000);
    else if (code !== 0) process.exitCode = 1;
  });
  const stop = (signal: NodeJS.Signals) => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
