import type { Services } from '../src/services.ts';

export type SeededMessages = {
  /** One of this many persons has a twelfth of all messages, the newest ones. */
  persons: number;
  busyPhone: string;
  firstId: number;
  lastId: number;
};

const idsAtOnce = 500_000;

/**
 * Inserts messages of a tenant by SQL, with states, conversations and windows: 12 of each person, every third
 * inbound, and at the end many of one person.
 */
export async function seedMessages(
  { db }: Services,
  tenantId: number,
  count: number,
): Promise<SeededMessages> {
  const { rows } = await db.pool.query('select id from numbers where tenant_id = $1 limit 1', [
    tenantId,
  ]);
  const numberId = rows[0].id;
  const persons = Math.max(1, Math.floor(count / 12));
  const busy = Math.floor(count / 12);
  const busyPhone = phoneOf(0);
  const first = await nextId(db.pool);
  for (let from = 0; from < count; from += idsAtOnce) {
    const to = Math.min(count, from + idsAtOnce);
    await db.pool.query(
      `with message as (
         insert into messages (tenant_id, number_id, direction, person, kind, content, created_at)
         select $1, $2, (case when n % 3 = 0 then 'in' else 'out' end)::message_direction,
                '+1' || (2000000000 + case when n >= $5::int then 0 else 1 + n % $6::int end), 'text',
                '{"text":"Your order 123456 is on its way. Thank you for your trust."}',
                now() - ($7::int - n) * interval '1 ms' - interval '1 hour'
         from generate_series($3::int, $4::int - 1) as n
         returning tenant_id, id, created_at, direction
       )
       insert into message_states (tenant_id, message_id, created_at, status, network_id, sent_at,
                                   delivered_at)
       select tenant_id, id, created_at,
              (case direction when 'in' then 'received' else 'delivered' end)::message_status,
              'wamid.HBgLMTU1NTU1NTU1NTUVAgARGBI5QTNDQTVCM0Q0' || lpad(id::text, 12, '0'),
              created_at, created_at
       from message`,
      [tenantId, numberId, from, to, count - busy, persons, count],
    );
  }
  await db.pool.query(
    `insert into conversations (tenant_id, number_id, person, last_message_id, first_inbound_id,
                                unread, is_open)
     select tenant_id, number_id, person, max(id), min(id) filter (where direction = 'in'),
            case when abs(hashtext(person)) % 100 = 0 then 1 else 0 end,
            abs(hashtext(person)) % 10 = 0
     from messages where tenant_id = $1 group by 1, 2, 3`,
    [tenantId],
  );
  await db.pool.query(
    `insert into conversation_windows (tenant_id, number_id, person, last_inbound_at)
     select tenant_id, number_id, person, max(created_at)
     from messages where tenant_id = $1 and direction = 'in' group by 1, 2, 3`,
    [tenantId],
  );
  await db.pool.query(`update message_walks set done_to = (select max(id) from messages),
    noted_id = (select max(id) from messages)`);
  await db.pool.query('vacuum analyze');
  return { persons, busyPhone, firstId: first + 1, lastId: first + count };
}

export function phoneOf(person: number): string {
  return `+1${2_000_000_000 + person}`;
}

async function nextId(pool: Services['db']['pool']): Promise<number> {
  const { rows } = await pool.query("select nextval('messages_id_seq') as id");
  return Number(rows[0].id);
}
