import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isWithoutConnection } from './no-connection.ts';

/** Returns the error of a client of PostgreSQL whose host is looked up by `lookup`. */
async function failureOf(lookup: LookupFunction): Promise<unknown> {
  const stream = () => {
    const socket = connect({ host: 'db.example', port: 1, lookup });
    // The driver calls it again, but the socket is already connecting.
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

test('if no address of the host accepts a connection, nothing was executed', async () => {
  const failure = await failureOf((_host, _options, done) =>
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]),
  );
  expect(failure).toBeInstanceOf(AggregateError);
  expect(isWithoutConnection(failure)).toBe(true);
});

test('if the name of the host cannot be looked up, nothing was executed', async () => {
  const unknown = Object.assign(new Error('getaddrinfo EAI_AGAIN db.example'), {
    code: 'EAI_AGAIN',
    syscall: 'getaddrinfo',
  });
  const failure = await failureOf((_host, _options, done) => done(unknown, []));
  expect(isWithoutConnection(failure)).toBe(true);
});

test('an error from the database itself does not mean that nothing was executed', () => {
  expect(isWithoutConnection(new AggregateError([new Error('deadlock detected')]))).toBe(false);
});
