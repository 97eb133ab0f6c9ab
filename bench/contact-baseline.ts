import { fastify } from 'fastify';
import pg from 'pg';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';

/**
 * The cost of a bare create: Fastify validates the body, one prepared INSERT stores it. No TLS, no token, no
 * limits, no search, no events.
 */
const { connection } = await ensurePostgres({ dataDir: process.env.BENCH_DATA_DIR! });
const pool = new pg.Pool({ ...connection, max: 10 });
await pool.query(`
  create table if not exists baseline_contacts (
    id bigint generated always as identity primary key,
    firstname text not null, lastname text, phone text not null unique, email text,
    created_at timestamptz not null default now()
  )`);
const app = fastify();

app.post<{ Body: { firstname: string; lastname?: string; phone: string; email?: string } }>(
  '/api/bench/contacts',
  {
    schema: {
      body: {
        type: 'object',
        required: ['firstname', 'phone'],
        properties: {
          firstname: { type: 'string', minLength: 1, maxLength: 255 },
          lastname: { type: 'string', maxLength: 255 },
          phone: { type: 'string', pattern: '^\\+[1-9][0-9]{1,14}$' },
          email: { type: 'string', maxLength: 254 },
        },
      },
    },
  },
  async ({ body }) => {
    const { firstname, lastname, phone, email } = body;
    const { rows } = await pool.query({
      name: 'insert',
      text: `insert into baseline_contacts (firstname, lastname, phone, email)
             values ($1, $2, $3, $4) returning id`,
      values: [firstname, lastname, phone, email],
    });
    return { success: true, data: { id: Number(rows[0].id), ...body } };
  },
);

await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as { port: number }).port });
