import cluster from 'node:cluster';
import type { Command } from 'commander';
import { readConfig, unknownSettings } from '../config.ts';
import { closeOnSignal } from './close-on-signal.ts';
import { noteDemo } from './demo-data.ts';

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
      const starting = start(config, { simulator: false });
      closeOnSignal(starting);
      const running = await starting;
      await noteDemo(config.dataDir, false);
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
