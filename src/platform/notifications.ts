import pg from 'pg';

export type Notifications = ReturnType<typeof createNotifications>;

type OnNotify = (payload: string) => void;

/**
 * LISTEN on any number of channels over one connection, opened for the first of them. One, because
 * PostgreSQL wakes every listening connection for a NOTIFY, whatever its channel.
 *
 * A lost connection is made anew by itself; what was notified meanwhile is unknown, so every
 * listener is then told '' and looks for itself.
 */
export function createNotifications(connect: () => pg.Client, onError: (error: Error) => void) {
  const channels = new Map<string, Set<OnNotify>>();
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
      for (const channel of channels.keys()) await listenOn(client, channel);
      for (const channel of channels.keys()) tell(channel, '');
    } catch (error) {
      onError(error as Error);
      setTimeout(() => void resume(), 500).unref();
    }
  }

  /** The driver wants one statement at a time. */
  async function listenOn(client: pg.Client, channel: string): Promise<void> {
    const statement = lastStatement.then(() =>
      client.query(`listen ${pg.escapeIdentifier(channel)}`),
    );
    lastStatement = statement.catch(() => {});
    await statement;
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
      await listenOn(client, channel);
      onNotify('');
      return () => {
        listeners.delete(onNotify);
      };
    },
    async close(): Promise<void> {
      closed = true;
      const client = await connected?.catch(() => undefined);
      await client?.end();
    },
  };
}
