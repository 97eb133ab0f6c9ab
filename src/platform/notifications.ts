import pg from 'pg';

export type Notifications = ReturnType<typeof createNotifications>;

type OnNotify = (payload: string) => void;

/**
 * LISTEN on any number of channels over one connection, opened for the first of them. One, because
 * PostgreSQL wakes every listening connection for a NOTIFY, whatever its channel. As it lasts as long
 * as the process, locks that are to do so are held on it.
 *
 * A lost connection is made anew by itself, and takes its locks again; what was notified meanwhile is
 * unknown, so every listener is then told '' and looks for itself.
 */
export function createNotifications(connect: () => pg.Client, onError: (error: Error) => void) {
  const channels = new Map<string, Set<OnNotify>>();
  /** What every connection begins with. */
  const standing = new Set<string>();
  let connected: Promise<pg.Client> | undefined;
  let lastStatement: Promise<unknown> = Promise.resolve();
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
    client.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''));
    client.on('error', onError);
    await client.connect();
    client.on('end', () => {
      connected = undefined;
      void resume();
    });
    return client;
  }

  async function resume(): Promise<void> {
    if (closed) return;
    try {
      const client = await connection();
      for (const statement of standing) await run(client, statement);
      for (const channel of channels.keys()) tell(channel, '');
    } catch (error) {
      onError(error as Error);
      setTimeout(() => void resume(), 500).unref();
    }
  }

  /** The driver wants one statement at a time. */
  async function run(client: pg.Client, statement: string): Promise<void> {
    const running = lastStatement.then(() => client.query(statement));
    lastStatement = running.catch(() => {});
    await running;
  }

  function tell(channel: string, payload: string): void {
    for (const onNotify of channels.get(channel) ?? []) onNotify(payload);
  }

  return {
    /** @returns ends this listening */
    async listen(channel: string, onNotify: OnNotify): Promise<() => void> {
      const client = await connection();
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(onNotify));
      const statement = `listen ${pg.escapeIdentifier(channel)}`;
      standing.add(statement);
      await run(client, statement);
      onNotify('');
      return () => {
        listeners.delete(onNotify);
      };
    },
    /**
     * Takes a shared lock, for which nobody ever waits: others see by it that this process lives.
     *
     * @returns gives it back
     */
    async hold(lockClass: number, id: number): Promise<() => Promise<void>> {
      const lock = `pg_advisory_lock_shared(${lockClass}, ${id})`;
      await run(await connection(), `select ${lock}`);
      standing.add(`select ${lock}`);
      return async () => {
        standing.delete(`select ${lock}`);
        // With a connection that is lost, the lock is gone.
        await connected
          ?.then((client) => run(client, `select ${lock.replace('lock', 'unlock')}`))
          .catch(() => {});
      };
    },
    async close(): Promise<void> {
      closed = true;
      const client = await connected?.catch(() => undefined);
      await client?.end();
    },
  };
}
