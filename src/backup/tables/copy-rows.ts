import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** The chunks of COPY in one direction, joined to parts of about this size. */
const chunkBytes = 262_144;

/**
 * Reads rows in the text format of COPY: a line for each, with a tab between two columns.
 *
 * @param what a table with its columns, or a query in parentheses
 * @param onRows gets the bytes, cut anywhere
 * @returns the number of rows
 */
export async function copyOut(
  client: pg.ClientBase,
  what: string,
  onRows: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const stream = client.query(to(`copy ${what} to stdout`));
  // PostgreSQL reports the number of rows after the last row, when the stream may have ended.
  const reported = Promise.withResolvers<void>();
  reported.promise.catch(() => {});
  Object.assign(stream, { handleReadyForQuery: reported.resolve });
  stream.once('error', reported.reject);
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async () => {
    if (heldBytes > 0) await onRows(Buffer.concat(held));
    held = [];
    heldBytes = 0;
  };
  for await (const chunk of stream) {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= chunkBytes) await flush();
  }
  await flush();
  await reported.promise;
  return stream.rowCount;
}

/** Writes rows that `copyOut` read. `put` adds bytes, and `end` returns the number of rows. */
export function copyIn(client: pg.ClientBase, table: string) {
  const stream = client.query(from(`copy ${table} from stdin`));
  const done = finished(stream);
  // The next call gets the failure.
  done.catch(() => {});
  return {
    async put(chunk: Buffer): Promise<void> {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
    },
    async end(): Promise<number> {
      stream.end();
      await done;
      return stream.rowCount;
    },
  };
}
