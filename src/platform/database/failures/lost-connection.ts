/**
 * The server stopped responding, without closing the connection. A statement that was under way may have been
 * executed or not.
 */
export class ServerSilent extends Error {
  override name = 'ServerSilent';
  /** Whether the connection was complete. Otherwise no statement was sent on it. */
  readonly wasConnected: boolean;

  constructor(wasConnected: boolean) {
    super('the database server stopped responding');
    this.wasConnected = wasConnected;
  }
}

/** The server is shutting down, or has crashed in another session. */
const shutdownCodes = ['57P01', '57P02'];

/**
 * Whether a connection was lost while it was in use, so that it is not known whether the statement, or the commit
 * of its transaction, took effect.
 */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof ServerSilent) return error.wasConnected;
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (shutdownCodes.includes(code)) return true;
  if (syscall === 'read' || syscall === 'write') return true;
  // pg 8 gives these no code.
  return /^(Connection terminated( unexpectedly)?$|Client has encountered a connection error)/.test(
    error.message,
  );
}
