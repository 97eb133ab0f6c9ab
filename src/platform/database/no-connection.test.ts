import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isWithoutConnection } from './no-connection.ts';

/** What a client of PostgreSQL throws when its host has these addresses. */
async function failureOf(lookup: LookupFunction): Promise<unknown> {
  const stream = () => {
    const socket = connect({ host: 'db.example', port: 1, lookup });
    // The driver's own call of it; the way has been taken already.
    socket.connect = () => socket;
    return socket;
  };
  const client = new pg.Client({ stream });
  const ended = once(client, 'end');
  const failure = await client.connect().then(
    () => undefined,
    (error) => error,
  );
  await ended;
  return failure;
}

test('a host of which no address takes a connection has done nothing', async () => {
  const failure = await failureOf((_host, _options, done) =>
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]),
  );
  expect(failure).toBeInstanceOf(AggregateError);
  expect(isWithoutConnection(failure)).toBe(true);
});

test('nor has one whose name cannot be looked up', async () => {
  const unknown = Object.assign(new Error('getaddrinfo EAI_AGAIN db.example'), {
    code: 'EAI_AGAIN',
    syscall: 'getaddrinfo',
  });
  const failure = await failureOf((_host, _options, done) => done(unknown, []));
  expect(isWithoutConnection(failure)).toBe(true);
});

test('what the database itself refused may have been done', () => {
  expect(isWithoutConnection(new AggregateError([new Error('deadlock detected')]))).toBe(false);
});
