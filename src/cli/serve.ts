import cluster from 'node:cluster';
import type { Command } from 'commander';
import { readConfig, unknownSettings } from '../config.ts';
import { createLog, type Log } from '../platform/log.ts';
import { closeOnSignal } from './close-on-signal.ts';
import { recordService } from './demo-data.ts';

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the API, the dashboard and the workers (PARLEY_ROLES picks some).')
    .option('--json', 'print one JSON object once the service is ready')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      const tellReady = (ready: Ready) => {
        if (json) process.stdout.write(`${JSON.stringify(ready)}\n`);
      };
      if (config.processes > 1 && cluster.isPrimary) {
        return superviseProcesses(config.processes, tellReady, createLog(config.logLevel));
      }
      // Only here: the other commands start faster without the whole service.
      const { start } = await import('../main.ts');
      const { isKeyOfDatabase } = await import('./open-secrets-of.ts');
      const starting = start(config, { simulator: false });
      closeOnSignal(starting);
      // The channel to the supervisor would keep a process that has nothing to do.
      starting.catch(() => cluster.worker?.disconnect());
      const running = await starting;
      await recordService(config.dataDir).catch(async (error) => {
        await running.close();
        throw error;
      });
      for (const name of unknownSettings()) {
        running.services.log.warn(`${name} is not a setting of Parley`);
      }
      if (!(await isKeyOfDatabase(running.services))) {
        running.services.log.error(
          'the master key does not open what is in the database: see `parley doctor`',
        );
      }
      const { url, authorityPath: authority, metricsUrl: metrics } = running;
      const serves = config.roles.includes('api');
      const ready: Ready = serves ? { url, authority, metrics } : { metrics };
      if (cluster.isWorker) process.send!(ready);
      else tellReady(ready);
      running.services.log.info(ready, serves ? 'serving' : 'working');
    });
}

/** What a process tells, once, when it is ready; one of workers alone serves at no address. */
type Ready = { url?: string; authority?: string | undefined; metrics: string | undefined };

/**
 * Several processes share the port. The first starts alone, so that what keeps the service from
 * starting is said once and ends it; from then on one that dies is replaced, not faster than one a
 * second.
 */
function superviseProcesses(count: number, tellReady: (ready: Ready) => void, log: Log): void {
  let serves = false;
  let stopping = false;
  cluster.fork().once('message', (ready: Ready) => {
    serves = true;
    tellReady(ready);
    for (let each = 1; each < count && !stopping; each++) cluster.fork();
  });
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (serves && !stopping) {
      log.warn({ pid, code, signal }, 'a process ended; another takes its place');
      setTimeout(() => !stopping && cluster.fork(), 1_000);
      return;
    }
    // One that has not loaded yet is ended by the signal itself.
    const isStopped = stopping && (signal === 'SIGINT' || signal === 'SIGTERM');
    if (code !== 0 && !isStopped) process.exitCode = 1;
  });
  const stop = (signal: NodeJS.Signals) => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
