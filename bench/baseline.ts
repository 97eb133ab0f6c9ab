import { fastify } from 'fastify';
import pg from 'pg';
import { Agent, request } from 'undici';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';

/**
 * The cost of a bare send: Fastify validates the body, undici calls the network, one prepared INSERT stores
 * the result. No TLS, no token, no limits, no write-ahead.
 */
const { BENCH_DATA_DIR: dataDir, BENCH_NETWORK_URL: networkUrl } = process.env;
const { connection } = await ensurePostgres({ dataDir: dataDir! });
const pool = new pg.Pool({ ...connection, max: 10 });
await pool.query(`
  create table if not exists baseline_messages (
    id bigint generated always as identity primary key,
    phone text not null, body text not null, network_id text not null,
    created_at timestamptz not null default now()
  )`);
const dispatcher = new Agent({ connections: 256 });
const app = fastify();

app.post<{ Body: { phone_number: string; type: string; message: string } }>(
  '/api/bench/messages/send',
  {
    schema: {
      body: {
        type: 'object',
        required: ['phone_number', 'type', 'message'],
        properties: {
          phone_number: { type: 'string', pattern: '^\\+[1-9][0-9]{1,14}$' },
          type: { const: 'text' },
          message: { type: 'string', minLength: 1, maxLength: 4096 },
        },
      },
    },
  },
  async ({ body }) => {
    const response = await request(`${networkUrl}/v25.0/1/messages`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: body.phone_number,
        type: 'text',
        text: { body: body.message },
      }),
    });
    const { messages } = (await response.body.json()) as { messages: { id: string }[] };
    const id = messages[0]!.id;
    await pool.query({
      name: 'insert',
      text: 'insert into baseline_messages (phone, body, network_id) values ($1, $2, $3)',
      values: [body.phone_number, body.message, id],
    });
    return {
      success: true,
      data: { message_id: id, phone_number: body.phone_number, status: 'sent' },
    };
  },
);

await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as { port: number }).port });
