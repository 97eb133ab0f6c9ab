import cluster from 'node:cluster';
import type { Log } from '../platform/log.ts';
import { watchdogIntervalMs } from '../platform/notify-systemd.ts';

/** Reports to the supervisor, for as long as the event loop of this process runs. */
export function reportToSupervisor(): void {
  const everyMs = watchdogIntervalMs();
  if (everyMs === undefined) return;
  setInterval(() => process.send?.('lives', () => {}), everyMs).unref();
}

/**
 * Ends processes that do not report for the time of systemd's watchdog, which itself sees the supervisor only. The
 * missing reports are counted, so that a machine that stood still for a while ends none.
 */
export function endHangingProcesses(log: Log): void {
  const everyMs = watchdogIntervalMs();
  if (everyMs === undefined) return;
  const missing = new Map<number, number>();
  // From the message that it is ready. A start may take long.
  cluster.on('message', ({ id }) => missing.set(id, 0));
  cluster.on('exit', ({ id }) => missing.delete(id));
  setInterval(() => {
    for (const [id, count] of missing) {
      missing.set(id, count + 1);
      const hanging = count >= 3 && cluster.workers?.[id]?.process;
      if (!hanging) continue;
      log.error({ pid: hanging.pid }, 'a process hangs and is ended');
      hanging.kill('SIGKILL');
    }
  }, everyMs).unref();
}
