import { ServerSilent } from '../database/failures/lost-connection.ts';
import type { Notifications } from './notifications.ts';
import type { TrackedClient } from './tracked-client.ts';
import { withSilenceLimit } from './with-silence-limit.ts';

/** With the limit of silence, a dead server is noticed within six seconds. */
const askEveryMs = 2_000;
const maxSilenceMs = 4_000;
/** A statement that takes longer is looked for in the server. */
const longStatementMs = 5_000;

/**
 * Ends connections that the server no longer serves. A machine that loses its power or its network closes nothing:
 * the kernel would wait for a quarter of an hour for the response to a statement, and for hours on an idle
 * connection.
 *
 * The server is asked every two seconds on the listening connection. If it does not respond, every connection is
 * abandoned. A single connection is abandoned if its statement has taken five seconds and the server, asked twice,
 * does not execute it: then the statement or its response was lost on the way. So a statement has no time limit as
 * long as the server works on it.
 *
 * @returns stops watching
 */
export function watchServer(
  open: ReadonlySet<TrackedClient>,
  listening: Pick<Notifications, 'isOpen' | 'ask' | 'abandon'>,
): () => void {
  /** The statements that the server did not know when it was last asked, by their start. */
  let unknown = new Map<TrackedClient, number>();
  let isAsking = false;

  async function ask(): Promise<void> {
    const long = longStatements();
    if (long.size === 0 && !listening.isOpen()) return;
    const executed = await executedBy([...long.keys()].map(({ processID }) => processID));
    if (executed === undefined) return;
    if (executed === 'silent') {
      unknown.clear();
      listening.abandon();
      for (const client of open) client.abandon();
      return;
    }
    const missing = new Map<TrackedClient, number>();
    for (const [client, since] of long) {
      if (client.waitingSince !== since || executed.has(client.processID!)) continue;
      if (unknown.get(client) === since) client.abandon();
      else missing.set(client, since);
    }
    unknown = missing;
  }

  function longStatements(): Map<TrackedClient, number> {
    const before = performance.now() - longStatementMs;
    const long = new Map<TrackedClient, number>();
    for (const client of open) {
      const { waitingSince } = client;
      if (waitingSince !== undefined && waitingSince < before) long.set(client, waitingSince);
    }
    return long;
  }

  /** Returns undefined if the server refused the connection or closed it, and with it all others. */
  async function executedBy(
    ids: (number | null)[],
  ): Promise<ReadonlySet<number> | 'silent' | undefined> {
    try {
      const rows = await withSilenceLimit(listening.ask(executing(ids)), maxSilenceMs);
      return new Set(rows.map(({ pid }) => pid as number));
    } catch (error) {
      return isSilence(error) ? 'silent' : undefined;
    }
  }

  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void ask().finally(() => {
      isAsking = false;
    });
  }, askEveryMs).unref();
  return () => clearInterval(timer);
}

/** The processes that are working on a statement. Without the right to see their state, all count as working. */
function executing(ids: (number | null)[]): string {
  const known = ids.filter((id) => typeof id === 'number');
  return `select pid from pg_stat_activity
          where pid = any ('{${known.join(',')}}'::int[]) and coalesce(state, '') not like 'idle%'`;
}

/** pg 8 gives the time limit of a connection no code. */
function isSilence(error: unknown): boolean {
  return error instanceof ServerSilent || (error as Error).message === 'timeout expired';
}
