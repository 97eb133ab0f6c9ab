import pg from 'pg';
import { ServerSilent } from '../database/failures/lost-connection.ts';

export type Notifications = ReturnType<typeof createNotifications>;

type OnNotify = (payload: string) => void;

/**
 * LISTEN on any number of channels over one connection, opened for the first channel. PostgreSQL wakes
 * every listening connection for a NOTIFY, whatever its channel, so a second one would only cost more.
 * The connection lasts as long as the process, and so do the locks that are held on it.
 *
 * A lost connection is reopened automatically and takes its locks again. Notifications may have been
 * missed in between, so every listener is then called with '' and looks for itself.
 */
export function createNotifications(
  connect: () => pg.Client,
  on: {
    /** Called once per loss. */
    lost(error: Error): void;
    back(): void;
  },
) {
  const channels = new Map<string, Set<OnNotify>>();
  /** The statements that every new connection runs first. */
  const initial = new Set<string>();
  let connected: Promise<pg.Client> | undefined;
  let current: pg.Client | undefined;
  let lastStatement: Promise<unknown> = Promise.resolve();
  let isLost = false;
  let isResuming = false;
  let closed = false;

  function connection(): Promise<pg.Client> {
    connected ??= open().catch((error) => {
      connected = undefined;
      throw error;
    });
    return connected;
  }

  async function open(): Promise<pg.Client> {
    const client = connect();
    client.on('notification', ({ channel, payload }) => notify(channel, payload ?? ''));
    client.on('error', recordLoss);
    await client.connect();
    current = client;
    client.on('end', () => {
      connected = undefined;
      current = undefined;
      void resume();
    });
    return client;
  }

  function recordLoss(error: Error): void {
    if (isLost || closed) return;
    isLost = true;
    on.lost(error);
  }

  /** Reconnects for all listeners, until it succeeds. */
  async function resume(): Promise<void> {
    if (isResuming) return;
    isResuming = true;
    while (!closed && !(await tryAgain())) {
      await new Promise((resolve) => setTimeout(resolve, 500).unref());
    }
    isResuming = false;
  }

  async function tryAgain(): Promise<boolean> {
    try {
      const client = await connection();
      for (const statement of initial) await run(client, statement);
    } catch (error) {
      recordLoss(error as Error);
      return false;
    }
    if (isLost) on.back();
    isLost = false;
    for (const channel of channels.keys()) notify(channel, '');
    return true;
  }

  /** Runs one statement at a time, as the driver requires. */
  function run(client: pg.Client, statement: string): Promise<pg.QueryResult> {
    const running = lastStatement.then(() => client.query(statement));
    lastStatement = running.catch(() => {});
    return running;
  }

  function notify(channel: string, payload: string): void {
    for (const onNotify of channels.get(channel) ?? []) onNotify(payload);
  }

  return {
    /** Whether the connection is lost, or could never be opened. */
    isLost: () => isLost,
    isOpen: () => current !== undefined,
    /** Opens the connection, if it is not open, and runs a statement on it. */
    async ask(statement: string): Promise<Record<string, unknown>[]> {
      return (await run(await connection(), statement)).rows;
    },
    /** Ends the connection without the server. It is opened again as after any other loss. */
    abandon(): void {
      current?.connection.stream.destroy(new ServerSilent(true));
    },
    /**
     * Calls `onNotify` for each notification on a channel. Without a connection, it starts as soon as
     * there is one.
     *
     * @returns stops listening
     */
    async listen(channel: string, onNotify: OnNotify): Promise<() => void> {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(onNotify));
      const statement = `listen ${pg.escapeIdentifier(channel)}`;
      initial.add(statement);
      try {
        await run(await connection(), statement);
        onNotify('');
      } catch (error) {
        recordLoss(error as Error);
        void resume();
      }
      return () => {
        listeners.delete(onNotify);
      };
    },
    /**
     * Takes a shared lock, for which nobody ever waits. It shows other processes that this one lives.
     *
     * @returns releases it earlier
     */
    async lockForLife(lockClass: number, id: number): Promise<() => Promise<void>> {
      const lock = `select pg_advisory_lock_shared(${lockClass}, ${id})`;
      const unlock = `select pg_advisory_unlock_shared(${lockClass}, ${id})`;
      await run(await connection(), lock);
      initial.add(lock);
      return async () => {
        initial.delete(lock);
        // A lost connection has released the lock already.
        await connected?.then((client) => run(client, unlock)).catch(() => {});
      };
    },
    async close(): Promise<void> {
      closed = true;
      const client = await connected?.catch(() => undefined);
      await client?.end();
    },
  };
}
