import cluster from 'node:cluster';
import type { Command } from 'commander';
import { readConfig, unknownSettings } from '../../../config.ts';
import { createLog, type Log } from '../../../platform/log.ts';
import { notifySystemd } from '../../../platform/notify-systemd.ts';
import { closeOnSignal } from '../../close-on-signal.ts';
import { recordService } from '../../demo-data.ts';
import { endHangingProcesses, reportToSupervisor } from '../../end-hanging-processes.ts';

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the API, the dashboard and the workers (see PARLEY_ROLES).')
    .option('--json', 'print one JSON object once the service is ready')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      const supervisor = cluster.isPrimary ? notifySystemd() : undefined;
      const printReady = (ready: Ready) => {
        void supervisor?.ready();
        if (json) process.stdout.write(`${JSON.stringify(ready)}\n`);
      };
      if (config.processes > 1 && cluster.isPrimary) {
        superviseProcesses(config.processes, printReady, createLog(config.logLevel));
        process.once('SIGTERM', () => void supervisor?.stopping());
        return;
      }
      // Imported here, so that the other commands start faster without the service.
      const { start } = await import('../../../main.ts');
      const { refuseOtherKey } = await import('../../open-secrets-of.ts');
      const starting = start(config, { simulator: false, check: refuseOtherKey });
      closeOnSignal(starting);
      process.once('SIGTERM', () => void supervisor?.stopping());
      // The channel to the supervisor would keep a process without work running.
      starting.catch(() => cluster.worker?.disconnect());
      const running = await starting;
      await recordService(config.dataDir).catch(async (error) => {
        await running.close();
        throw error;
      });
      for (const name of unknownSettings()) {
        running.services.log.warn(`${name} is not a setting of Parley`);
      }
      const { url, authorityPath: authority, metricsUrl: metrics } = running;
      const serves = config.roles.includes('api');
      const ready: Ready = serves ? { url, authority, metrics } : { metrics };
      if (cluster.isWorker) {
        process.send!(ready);
        reportToSupervisor();
      } else {
        printReady(ready);
      }
      running.services.log.info(ready, serves ? 'serving' : 'working');
    });
}

/** The message of a process when it is ready. A process of workers alone has no address. */
type Ready = { url?: string; authority?: string | undefined; metrics: string | undefined };

/**
 * Runs several processes that share the port. The first one starts alone, so that an error at the start is
 * reported once and ends the service. After that, a process that dies or hangs is replaced, at most one a second.
 */
function superviseProcesses(count: number, printReady: (ready: Ready) => void, log: Log): void {
  let serves = false;
  let stopping = false;
  endHangingProcesses(log);
  cluster.fork().once('message', (ready: Ready) => {
    serves = true;
    printReady(ready);
    for (let each = 1; each < count && !stopping; each++) cluster.fork();
  });
  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (serves && !stopping) {
      log.warn({ pid, code, signal }, 'a process ended and is replaced');
      setTimeout(() => !stopping && cluster.fork(), 1_000);
      return;
    }
    // A process that has not loaded yet is ended by the signal itself.
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
