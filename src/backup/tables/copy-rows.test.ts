import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../test/database/database.ts';
import { copyIn, copyOut } from './copy-rows.ts';

test('rows are counted, in whatever pieces the messages of PostgreSQL arrive', async () => {
  const { connection, drop } = await createTestDatabase({ isEmpty: true });
  const client = new pg.Client({ ...connection, stream: socketOfSingleBytes });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  await client.query('create temp table copies (n int)');
  const chunks: Buffer[] = [];
  const count = await copyOut(client, '(select generate_series(1, 3))', async (chunk) => {
    chunks.push(chunk);
  });
  expect(count).toBe(3);
  expect(String(Buffer.concat(chunks))).toBe('1\n2\n3\n');

  const copy = copyIn(client, 'copies');
  await copy.put(Buffer.concat(chunks));
  expect(await copy.end()).toBe(3);
});

/** Every byte that arrives is read in a turn of its own. */
function socketOfSingleBytes(): Socket {
  const socket = new Socket();
  const push = socket.push.bind(socket);
  let last: Promise<unknown> = Promise.resolve();
  socket.push = (chunk: Buffer | null) => {
    last = last.then(async () => {
      for (const byte of chunk ?? []) {
        await nextTurn();
        push(Buffer.of(byte));
      }
      if (chunk === null) push(null);
    });
    return true;
  };
  return socket;
}
