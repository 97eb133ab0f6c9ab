import type { Running } from '../main.ts';

/** After this the process ends even if something hangs. */
export const longestCloseMs = 4_800;

/**
 * SIGINT and SIGTERM end the service in order, also while it still starts. A second signal changes
 * nothing: npm hands on the Ctrl-C that the terminal has already sent to every process.
 */
export function closeOnSignal(starting: Promise<Running>): void {
  let closing = false;
  const onSignal = async (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(1), longestCloseMs).unref();
    try {
      const running = await starting;
      running.services.log.info({ signal }, 'closing');
      await running.close();
      process.exit(0);
    } catch {
      // The start failed: the command that awaits it says why.
      process.exit(1);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
