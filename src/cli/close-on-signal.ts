import type { Running } from '../main.ts';

/** After this time the process exits even if something hangs. */
export const maxCloseMs = 4_800;

/**
 * Closes the service on SIGINT and SIGTERM, also during its start. Further signals are ignored: npm forwards
 * the Ctrl-C that the terminal has already sent to every process.
 */
export function closeOnSignal(starting: Promise<Running>): void {
  let closing = false;
  const onSignal = async (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(1), maxCloseMs).unref();
    try {
      const running = await starting;
      running.services.log.info({ signal }, 'closing');
      await running.close();
      process.exit(0);
    } catch {
      // The start failed. The command that awaits it reports why.
      process.exit(1);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
