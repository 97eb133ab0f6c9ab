import type pg from 'pg';
import type { Received } from '../test/servers/receiver.ts';
import { promise } from './ledger.ts';

type Event = { id: string; event: string; data: Record<string, unknown> };

type Confirmed = {
  /** Ids of the network. */
  sent: string[];
  inbound: Set<string>;
};

/**
 * Checks the events of messages in the tenant's log: each confirmed message has one, each is of a state that the
 * database shows, none comes twice, the furthest state of every message is there, the numbers of a conversation have no
 * gaps, and the ordered endpoint got all of them in this order.
 *
 * @param log the address of the log
 * @param received by the ordered endpoint
 */
export async function countMessageEvents(
  pool: pg.Pool,
  tenantId: number,
  log: { url: string; token: string },
  confirmed: Confirmed,
  received: Received[],
): Promise<void> {
  const begun = await readLog(log, '');
  const states = await readStates(pool, tenantId);
  // States that are reported between both reads are in neither or in the rest.
  const rest = await readLog(log, begun.next);
  const events = [...begun.events, ...rest.events];

  const names = events.map(({ event, data }) => `${data.id} ${event.replace('message.', '')}`);
  const known = new Set(names);
  const byNetworkId = new Set(events.map(({ event, data }) => `${data.message_id} ${event}`));
  const missing = [
    ...confirmed.sent.map((id) => `${id} message.sent`),
    ...[...confirmed.inbound].map((id) => `${id} message.received`),
  ].filter((name) => !byNetworkId.has(name));
  promise(
    'each confirmed message is an event of the log',
    missing.length === 0,
    `${events.length} events, ${missing.length} missing`,
  );
  const happened = new Set(states.flatMap(({ id, reached }) => reached.map((at) => `${id} ${at}`)));
  const invented = names.slice(0, begun.events.length).filter((name) => !happened.has(name));
  const lost = states.filter(({ id, furthest }) => furthest && !known.has(`${id} ${furthest}`));
  promise(
    'each event happened once, and the furthest state of each message is one',
    invented.length === 0 && lost.length === 0 && known.size === names.length,
    `${invented.length} invented, ${lost.length} lost, ${names.length - known.size} twice`,
  );
  const gaps = countGaps(events);
  promise('the events of a conversation are numbered without gaps', gaps === 0, `${gaps} gaps`);

  const arrived = firstOfEach(received);
  const undelivered = events.filter(({ id }) => !arrived.has(id)).length;
  const disordered = countDisordered([...arrived.values()]);
  promise(
    'each event of a message is delivered, in the order of its conversation',
    undelivered === 0 && disordered === 0,
    `${arrived.size} delivered, ${undelivered} undelivered, ${disordered} out of order`,
  );
}

async function readLog(
  { url, token }: { url: string; token: string },
  from: string,
): Promise<{ events: Event[]; next: string }> {
  const events: Event[] = [];
  for (let next = from; ; ) {
    const after = next ? `&after=${next}` : '';
    const response = await fetch(`${url}?types=message.*&limit=500${after}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`events: ${response.status} ${await response.text()}`);
    const page = (await response.json()) as { data: Event[]; pagination: { next: string } };
    next = page.pagination.next;
    if (page.data.length === 0) return { events, next };
    events.push(...page.data);
  }
}

type States = { id: string; reached: string[]; furthest: string | null };

/** Lists the states that each message has reached, and the one that it shows. A message that may not be sent shows none. */
async function readStates(pool: pg.Pool, tenantId: number): Promise<States[]> {
  const { rows } = await pool.query<States>(
    `select message_id::text as id,
       array_remove(array[
         case when status = 'received' then 'received' end,
         case when sent_at is not null then 'sent' end,
         case when failed_at is not null then 'failed' end,
         case when delivered_at is not null then 'delivered' end,
         case when read_at is not null then 'read' end
       ], null) as reached,
       case when status::text in ('received', 'sent', 'failed', 'delivered', 'read') then status::text end as furthest
     from message_states
     where tenant_id = $1`,
    [tenantId],
  );
  return rows;
}

function countGaps(events: Event[]): number {
  const last = new Map<unknown, number>();
  let gaps = 0;
  for (const { data } of events) {
    const number = (last.get(data.phone_number) ?? 0) + 1;
    if (data.sequence !== number) gaps++;
    last.set(data.phone_number, Number(data.sequence));
  }
  return gaps;
}

/** Finds the first arrival of each event. A delivery is repeated if its result could not be stored. */
function firstOfEach(received: Received[]): Map<string, Received> {
  const first = new Map<string, Received>();
  for (const each of received) {
    const id = String(each.headers['webhook-id']);
    if (!first.has(id)) first.set(id, each);
  }
  return first;
}

function countDisordered(received: Received[]): number {
  const last = new Map<unknown, number>();
  let disordered = 0;
  for (const { body } of received) {
    const { phone_number: phone, sequence } = body.data;
    if (Number(sequence) < (last.get(phone) ?? 0)) disordered++;
    last.set(phone, Number(sequence));
  }
  return disordered;
}
