import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Ends hanging notifications, which would otherwise add up. */
const timeoutMs = 5_000;

export type SupervisorNotes = {
  /** The service is ready. From now on, the watchdog is notified regularly that the service lives. */
  ready(): Promise<void>;
  stopping(): Promise<void>;
};

/**
 * Reports to systemd, for a unit with `Type=notify` and `NotifyAccess=all`. Without systemd it does nothing. Node
 * cannot write to the socket of systemd itself, so `systemd-notify` does.
 *
 * @param environment has `NOTIFY_SOCKET`, and `WATCHDOG_USEC` if the unit has a watchdog
 */
export function notifySystemd(
  environment: Record<string, string | undefined> = process.env,
): SupervisorNotes {
  const { NOTIFY_SOCKET: socket } = environment;
  const notify = async (...notes: string[]) => {
    if (!socket) return;
    const given = { NOTIFY_SOCKET: socket, PATH: environment.PATH ?? '' };
    const options = { timeout: timeoutMs, env: given };
    // The unit works without its watchdog if this fails: systemd restarts it.
    await promisify(execFile)('systemd-notify', notes, options).catch(() => {});
  };
  let watching: NodeJS.Timeout | undefined;
  return {
    async ready() {
      await notify('READY=1', `MAINPID=${process.pid}`);
      const everyMs = watchdogIntervalMs(environment);
      if (everyMs === undefined) return;
      watching = setInterval(() => void notify('WATCHDOG=1'), everyMs).unref();
    },
    stopping() {
      clearInterval(watching);
      return notify('STOPPING=1');
    },
  };
}

/**
 * How often a process reports that it lives: three times in the time that systemd allows. Undefined without a watchdog.
 */
export function watchdogIntervalMs(
  environment: Record<string, string | undefined> = process.env,
): number | undefined {
  const { WATCHDOG_USEC: watchdog } = environment;
  return watchdog === undefined ? undefined : Number(watchdog) / 1_000 / 3;
}
