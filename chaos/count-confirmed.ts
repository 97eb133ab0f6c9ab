import type pg from 'pg';
import type { Received } from '../test/servers/receiver.ts';
import { promise } from './ledger.ts';
import type { Confirmed } from './mixed-load.ts';

const queries: [what: string, of: keyof Confirmed, text: string][] = [
  [
    'contact',
    'contacts',
    'select id::text as value, count(*)::int as times from contacts where tenant_id = $1 and id::text = any($2) group by id',
  ],
  [
    'contact of a store',
    'posts',
    'select phone as value, count(*)::int as times from contacts where tenant_id = $1 and phone = any($2) group by phone',
  ],
  [
    'post of a store, as a message,',
    'posts',
    `select contacts.phone as value, count(*)::int as times
     from store_events
     join contacts on contacts.tenant_id = store_events.tenant_id and contacts.id = store_events.contact_id
     where store_events.tenant_id = $1 and store_events.message_id is not null and contacts.phone = any($2)
     group by contacts.phone`,
  ],
  [
    'inbound message',
    'inbound',
    'select network_id as value, count(*)::int as times from message_states where tenant_id = $1 and network_id = any($2) group by network_id',
  ],
];

/**
 * Checks that everything that the service confirmed is stored once, and that each created contact is one event that was
 * delivered.
 */
export async function countConfirmed(
  pool: pg.Pool,
  slug: string,
  confirmed: Confirmed,
  received: Received[],
): Promise<void> {
  const tenant = await pool.query<{ id: number }>('select id from tenants where slug = $1', [slug]);
  for (const [what, of, text] of queries) {
    const { rows } = await pool.query<{ value: string; times: number }>(text, [
      tenant.rows[0]!.id,
      [...confirmed[of]],
    ]);
    const missing = confirmed[of].size - rows.length;
    const twice = rows.filter(({ times }) => times > 1).length;
    const seen = `${confirmed[of].size} confirmed, ${missing} missing, ${twice} twice`;
    promise(`each confirmed ${what} is stored once`, missing === 0 && twice === 0, seen);
  }
  const deliveries = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    if (body.event !== 'contact.created') continue;
    const id = String(body.data.id);
    deliveries.set(id, (deliveries.get(id) ?? new Set()).add(String(headers['webhook-id'])));
  }
  const undelivered = [...confirmed.contacts].filter((id) => !deliveries.has(id)).length;
  const doubled = [...deliveries.values()].filter((ids) => ids.size > 1).length;
  promise(
    'each created contact is one event, and delivered',
    undelivered === 0 && doubled === 0,
    `${deliveries.size} events, ${undelivered} undelivered, ${doubled} with two ids`,
  );
}
