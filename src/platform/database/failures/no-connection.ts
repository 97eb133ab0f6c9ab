import { ServerSilent } from './lost-connection.ts';

/**
 * Whether a statement failed because its connection leads to a standby: a server that was the primary until a
 * failover, and came back. All connections that are as old lead there too.
 */
export function isOnStandby(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === '25006';
}

/**
 * Whether a statement failed because there was no connection to send it on: the database refuses further
 * connections, is starting, stopping or unreachable, is only a standby, or every connection of the pool stayed busy
 * for too long. Such a statement certainly had no effect.
 *
 * @param error the error of the pool; codes of classes 53 and 57 are PostgreSQL's, others Node's
 */
export function isWithoutConnection(error: unknown): boolean {
  // Node reports the failure of each address of a host.
  if (error instanceof AggregateError) return error.errors.every(isWithoutConnection);
  if (error instanceof ServerSilent) return !error.wasConnected;
  if (!(error instanceof Error)) return false;
  if (isOnStandby(error)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === '53300' || code === '57P03') return true;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  // pg-pool 3 gives these no code.
  return /^(timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout)$/.test(
    error.message,
  );
}
