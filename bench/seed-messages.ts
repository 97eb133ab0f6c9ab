import pg from 'pg';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';
import type { Services } from '../src/services.ts';

export type SeededMessages = {
  /** One of this many persons has a twelfth of all messages, the newest ones. */
  persons: number;
  busyPhone: string;
  numberId: number;
  firstId: number;
  lastId: number;
};

type Place = { services: Services; dataDir: string };

const rowsAtOnce = 1_000_000;
/** The machine of the benchmarks has two cores. */
const connections = 2;
const tables = ['messages', 'message_states'];

/**
 * Inserts messages of a tenant by SQL, with states, conversations and windows: 12 of each person, every third
 * inbound, and at the end many of one person. Indexes other than the primary keys are created after the rows, so 50
 * million take minutes.
 *
 * @param days the age of the oldest message; the newest is an hour old
 */
export async function seedMessages(
  place: Place,
  tenantId: number,
  count: number,
  { days = 30 }: { days?: number } = {},
): Promise<SeededMessages> {
  const { db } = place.services;
  const { rows } = await db.pool.query<{ number_id: number; last_id: number | null }>(
    `select id as number_id, pg_sequence_last_value('messages_id_seq') as last_id
     from numbers where tenant_id = $1 limit 1`,
    [tenantId],
  );
  const { number_id: numberId, last_id: lastId } = rows[0]!;
  const firstId = (lastId ?? 0) + 1;
  const persons = Math.max(1, Math.floor(count / 12));
  const busyFrom = count - Math.floor(count / 12);
  const seed = { tenantId, numberId, firstId, persons, busyFrom, count, days };

  await asOwner(place, async (pool) => {
    const restore = await dropIndexes(pool);
    const ranges = Array.from({ length: Math.ceil(count / rowsAtOnce) }, (_each, n) => n);
    const insertRanges = async () => {
      for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
        const from = range * rowsAtOnce;
        await insertMessages(pool, seed, from, Math.min(count, from + rowsAtOnce));
      }
    };
    await Promise.all(Array.from({ length: connections }, insertRanges));
    await pool.query("select setval('messages_id_seq', $1)", [firstId + count - 1]);
    await restore();
    await insertConversations(pool, tenantId);
    await pool.query(
      'update message_walks set done_to = (select max(id) from messages), noted_id = (select max(id) from messages)',
    );
    await pool.query('vacuum analyze');
    await pool.query('checkpoint');
  });
  return { persons, busyPhone: phoneOf(0), numberId, firstId, lastId: firstId + count - 1 };
}

export function phoneOf(person: number): string {
  return `+1${2_000_000_000 + person}`;
}

/** The network's id of a seeded message. */
export function networkIdOf(id: number): string {
  return `wamid.HBgLMTU1NTU1NTU1NTUVAgARGBI5QTNDQTVCM0Q0${String(id).padStart(12, '0')}`;
}

/** Runs `work` as the superuser, with settings for bulk loads, which are reset afterwards. */
async function asOwner({ dataDir }: Place, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const { connection, release } = await ensurePostgres({ dataDir });
  const pool = new pg.Pool({
    ...connection,
    user: 'postgres',
    max: connections,
    options:
      '-c synchronous_commit=off -c maintenance_work_mem=1GB -c max_parallel_maintenance_workers=2',
  });
  const settings = { max_wal_size: '16GB', autovacuum: 'off' };
  for (const [name, value] of Object.entries(settings)) {
    await pool.query(`alter system set ${name} = '${value}'`);
  }
  await pool.query('select pg_reload_conf()');
  try {
    await work(pool);
  } finally {
    for (const name of Object.keys(settings)) await pool.query(`alter system reset ${name}`);
    await pool.query('select pg_reload_conf()');
    await pool.end();
    await release();
  }
}

/** @returns creates the indexes again, and enables the triggers */
async function dropIndexes(pool: pg.Pool): Promise<() => Promise<void>> {
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::regclass[]) and not indisprimary`,
    [tables],
  );
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  for (const table of tables) await pool.query(`alter table ${table} disable trigger user`);
  return async () => {
    for (const { definition } of indexes) await pool.query(definition);
    for (const table of tables) await pool.query(`alter table ${table} enable trigger user`);
  };
}

async function insertMessages(
  pool: pg.Pool,
  seed: {
    tenantId: number;
    numberId: number;
    firstId: number;
    persons: number;
    busyFrom: number;
    count: number;
    days: number;
  },
  from: number,
  to: number,
): Promise<void> {
  const { tenantId, numberId, firstId, persons, busyFrom, count, days } = seed;
  const at = `now() - interval '1 hour' - (${count} - n) * interval '${(days * 86_400_000_000) / count} us'`;
  await pool.query(
    `insert into messages (tenant_id, id, number_id, direction, person, kind, content, created_at)
     select $1, $2::bigint + n, $3, (case when n % 3 = 0 then 'in' else 'out' end)::message_direction,
            '+1' || (2000000000 + case when n >= $6::int then 0 else 1 + n % $7::int end), 'text',
            '{"text":"Your order 123456 is on its way. Thank you for your trust."}', ${at}
     from generate_series($4::int, $5::int - 1) as n`,
    [tenantId, firstId, numberId, from, to, busyFrom, persons],
  );
  await pool.query(
    `insert into message_states (tenant_id, message_id, created_at, status, network_id, sent_at, delivered_at)
     select $1, $2::bigint + n, at, (case when n % 3 = 0 then 'received' else 'delivered' end)::message_status,
            $5 || lpad(($2::bigint + n)::text, 12, '0'), at, at
     from generate_series($3::int, $4::int - 1) as n cross join lateral (select ${at}) as times (at)`,
    [tenantId, firstId, from, to, networkIdOf(0).slice(0, -12)],
  );
}

async function insertConversations(pool: pg.Pool, tenantId: number): Promise<void> {
  await pool.query(
    `insert into conversations (tenant_id, number_id, person, last_message_id, first_inbound_id,
                                unread, is_open)
     select tenant_id, number_id, person, max(id), min(id) filter (where direction = 'in'),
            case when abs(hashtext(person)) % 100 = 0 then 1 else 0 end,
            abs(hashtext(person)) % 10 = 0
     from messages where tenant_id = $1 group by 1, 2, 3`,
    [tenantId],
  );
  await pool.query(
    `insert into conversation_windows (tenant_id, number_id, person, last_inbound_at)
     select tenant_id, number_id, person, max(created_at)
     from messages where tenant_id = $1 and direction = 'in' group by 1, 2, 3`,
    [tenantId],
  );
}
