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
export function createNotifications(
  connect: () => pg.Client,
  on: {
    /** Once, until it is back. */
    lost(error: Error): void;
    back(): void;
  },
) {
  const channels = new Map<string, Set<OnNotify>>();
  /** What every connection begins with. */
  const standing = new Set<string>();
  let connected: Promise<pg.Client> | undefined;
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
    client.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''));
    client.on('error', noteLoss);
    await client.connect();
    client.on('end', () => {
      connected = undefined;
      void resume();
    });
    return client;
  }

  function noteLoss(error: Error): void {
    if (isLost || closed) return;
    isLost = true;
    on.lost(error);
  }

  /** Until there is a connection again, for everybody who misses it. */
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
      for (const statement of standing) await run(client, statement);
    } catch (error) {
      noteLoss(error as Error);
      return false;
    }
    if (isLost) on.back();
    isLost = false;
    for (const channel of channels.keys()) tell(channel, '');
    return true;
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
    /** Whether it is lost, of which was told, or never came about. */
    isLost: () => isLost,
    /**
     * Where there is no connection now, it begins as soon as there is one.
     *
     * @returns ends this listening
     */
    async listen(channel: string, onNotify: OnNotify): Promise<() => void> {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(onNotify));
      const statement = `listen ${pg.escapeIdentifier(channel)}`;
      standing.add(statement);
      try {
        await run(await connection(), statement);
        onNotify('');
      } catch (error) {
        noteLoss(error as Error);
        void resume();
      }
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
      const lock = `select pg_advisory_lock_shared(${lockClass}, ${id})`;
      const unlock = `select pg_advisory_unlock_shared(${lockClass}, ${id})`;
      await run(await connection(), lock);
      standing.add(lock);
      return async () => {
        standing.delete(lock);
        // With a connection that is lost, the lock is gone.
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
