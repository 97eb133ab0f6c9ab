import type { Running } from '../main.ts';

/** How long closing may take after the last response, even if something hangs. */
export const maxCloseMs = 4_800;

/**
 * Closes the service on SIGINT and SIGTERM, also during its start. After SIGTERM, the signal of
 * supervisors, it serves for PARLEY_DRAIN_MS more. Further signals are ignored: npm forwards the Ctrl-C that the
 * terminal has already sent to every process.
 */
export function closeOnSignal(starting: Promise<Running>): void {
  let closing = false;
  const onSignal = async (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    try {
      const running = await withExit(starting, maxCloseMs);
      const { config, log } = running.services;
      log.info({ signal }, 'closing');
      const drainMs = signal === 'SIGTERM' ? config.drainMs : 0;
      await withExit(running.close(drainMs), drainMs + config.stopGraceMs + maxCloseMs);
      process.exit(0);
    } catch {
      // The start failed. The command that awaits it reports why.
      process.exit(1);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** Waits for work, and ends the process if it takes too long. */
async function withExit<Result>(work: Promise<Result>, withinMs: number): Promise<Result> {
  const timer = setTimeout(() => process.exit(1), withinMs).unref();
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
