import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database/database.ts';
import { makeScratchFolder } from '../../../test/database/scratch.ts';
import { freePort } from '../../../test/program/start-service.ts';
import { loadTls } from '../tls/load-tls.ts';
import { checkDatabase } from './check-database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});

function connect(settings: pg.PoolConfig): pg.Pool {
  const options = `${settings.options ?? ''} -c parley.settings=on`;
  const pool = new pg.Pool({ ...database.connection, ...settings, options });
  pools.push(pool);
  return pool;
}

test('a database with another encoding is refused, with instructions to create a suitable one', async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = connect({ database: 'postgres' });
  await server.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
  try {
    const pool = connect({ database: name });
    await expect(checkDatabase(pool)).rejects.toThrow(
      /^The database has the encoding SQL_ASCII; Parley needs UTF8: .*encoding 'UTF8' template template0\.$/,
    );
    await pools.pop()!.end();
  } finally {
    await server.query(`drop database ${name}`);
  }
});

test('an unreachable server and a missing database have messages of their own', async () => {
  const port = await freePort();
  await expect(checkDatabase(connect({ host: '127.0.0.1', port }))).rejects.toThrow(
    `No connection to the database: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  await expect(checkDatabase(connect({ database: 'nowhere' }))).rejects.toThrow(
    'No connection to the database: database "nowhere" does not exist',
  );
});

test('a database in which the user may not create tables, or that is read-only, is refused', async () => {
  const noSchema = connect({ options: '-c search_path=nowhere' });
  await expect(checkDatabase(noSchema)).rejects.toThrow(
    / may not create tables and schemas in the /,
  );
  const readOnly = connect({ options: '-c default_transaction_read_only=on' });
  await expect(checkDatabase(readOnly)).rejects.toThrow('The database is read-only: ');
});

test('a database in which the user may create tables but no schemas is refused', async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = connect({ database: 'postgres' });
  // A superuser has every right, so the check runs as another role.
  const { rows } = await server.query<{ user: string }>(`
    select case when current_setting('is_superuser')::boolean then 'pg_monitor'
                else current_user end as user`);
  const { user } = rows[0]!;
  await server.query(`create database ${name} template template0`);
  try {
    const owner = connect({ database: name });
    await owner.query(`grant create on schema public to ${user}`);
    await owner.query(`revoke create on database ${name} from ${user}`);
    const pool = connect({ database: name, options: `-c role=${user}` });
    await expect(checkDatabase(pool)).rejects.toThrow(
      `may not create tables and schemas in the database "${name}". Make the user its owner: alter database ... owner to ...`,
    );
    // If the schema exists, the user needs no right to create one.
    await owner.query(`grant create on database ${name} to ${user}`);
    await pool.query('create schema auth');
    await owner.query(`revoke create on database ${name} from ${user}`);
    await checkDatabase(pool);
    await pools.pop()!.end();
    await pools.pop()!.end();
  } finally {
    await server.query(`drop database ${name}`);
  }
});

test('an address that is not a URL is reported', async () => {
  const pool = connect({ connectionString: 'postgres://parley:sec/hidden@localhost:1/parley' });
  const refused = await checkDatabase(pool).catch((error: Error) => error.message);
  expect(refused).toMatch(/address is not a valid URL\. .*%2F for \//);
  expect(refused).not.toContain('hidden');
});

test('a pooler that refuses startup settings is reported as a pooler', async () => {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: options', ''].join('\0');
  const message = Buffer.from(`E....${fields}\0`);
  message.writeInt32BE(message.length - 1, 1);
  const pooler = createServer((socket) => socket.once('data', () => socket.end(message)));
  await once(pooler.listen(0, '127.0.0.1'), 'listening');
  const { port } = pooler.address() as AddressInfo;
  await expect(checkDatabase(connect({ host: '127.0.0.1', port }))).rejects.toThrow(
    /^No connection to the database: the address seems to be that of a pooler /,
  );
  pooler.close();
});

test('a pooler that ignores the settings of connections is reported as a pooler', async () => {
  const ignored = new pg.Pool(database.connection);
  pools.push(ignored);
  await expect(checkDatabase(ignored)).rejects.toThrow(
    /^No connection to the database: the address seems to be that of a pooler /,
  );
});

test('a certificate of an unknown authority is reported with how to trust it', async () => {
  const dataDir = await makeScratchFolder('parley-database-tls-');
  const { cert, key } = await loadTls({ dataDir, names: [] });
  const server = createServer((socket) => {
    // PostgreSQL's response to a request for TLS.
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, cert, key }).on('error', () => {});
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const connectionString = `postgres://parley:x@localhost:${port}/parley?sslmode=verify-full`;
    await expect(checkDatabase(connect({ connectionString }))).rejects.toThrow(
      /^No connection to the database: its certificate was issued by an unknown authority. .* sslrootcert=/,
    );
  } finally {
    server.close();
    await rm(dataDir, { recursive: true });
  }
});
