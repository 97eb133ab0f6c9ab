import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { Agent, request } from 'undici';
import type { Services } from '../../src/services.ts';
import { forkService } from '../program/fork-service.ts';

const clients = 6;

/** A tenant whose messages are sent, reported and received. */
export type LoadedTenant = {
  id: number;
  slug: string;
  /** Each may make 600 requests a minute. */
  tokens: string[];
  phoneNumberId: string;
  callbackId: string;
  appSecret: string;
};

export type EventsOutcome = {
  /** The states that the service acknowledged, as `message state`; inbound ones by the network's id. */
  acknowledged: Set<string>;
  events: number;
  faults: string[];
};

type Event = { id: string; event: string; data: Record<string, unknown> };
type Caller = ReturnType<typeof createCaller>;

/**
 * Kills the service with SIGKILL again and again, each time at another moment, while messages are sent, reported and
 * received, at least until a message of every state was acknowledged. Then compares the tenant's events with its
 * messages: each state that was acknowledged has an event, each event is of a state that the database shows, and none
 * comes twice, goes backwards or breaks the numbers of its conversation. A reader that followed the log across all
 * kills has seen the same.
 *
 * @param services of this process, on the same database as the killed service
 * @param tenant has a network that accepts every send and reports nothing
 * @param alsoKill ends something else at the same moment, such as the database
 */
export async function killWithEvents(
  services: Services,
  environment: Record<string, string>,
  tenant: LoadedTenant,
  kills: number,
  alsoKill: (round: number) => Promise<void> = async () => {},
): Promise<EventsOutcome> {
  const caller = createCaller(tenant);
  const acknowledged = new Set<string>();
  const start = async () => {
    const started = forkService({ PARLEY_LOG_LEVEL: 'fatal', ...environment });
    caller.url = (await started.first).url;
    return started;
  };
  const load = Array.from({ length: clients }, (_, client) =>
    talk(caller, tenant, client, acknowledged),
  );
  const following = follow(caller);
  for (let round = 0; round < kills; round++) {
    const running = await start();
    const enough = acknowledged.size + 1 + Math.random() * 40;
    while (acknowledged.size < enough) await pause(1);
    while (round === kills - 1 && !hasAllStates(acknowledged)) await pause(1);
    await pause(Math.random() * 30);
    caller.url = undefined;
    await Promise.all([running.end('SIGKILL'), alsoKill(round)]);
  }
  caller.isEnding = true;
  await Promise.all(load);
  const followed = await following;

  const last = await start();
  await outboxEmpty(services, tenant.id);
  const events = await readAll(caller);
  await last.end();
  await caller.close();
  const faults = await examine(services, tenant.id, events, acknowledged);
  for (const [place, { id }] of followed.entries()) {
    if (events[place]?.id !== id) faults.push(`the reader got ${id} in place ${place}`);
  }
  return { acknowledged, events: events.length, faults };
}

/** Calls whichever process of the service is running. Returns undefined if it dies meanwhile, or refuses. */
function createCaller({ slug, tokens, callbackId, appSecret, phoneNumberId }: LoadedTenant) {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  let calls = 0;
  const caller = {
    url: undefined as string | undefined,
    /** No more calls are begun. */
    isEnding: false,
    // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
    async call(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
      const authorization = `Bearer ${tokens[calls++ % tokens.length]}`;
      const text = body && JSON.stringify(body);
      return send(method, `/api/${slug}${path}`, { authorization }, text);
    },
    /** Reports something of the number until the service has stored it, as the network does. */
    async report(value: object): Promise<boolean> {
      const metadata = { phone_number_id: phoneNumberId };
      const changes = [{ field: 'messages', value: { metadata, ...value } }];
      const text = JSON.stringify({ entry: [{ changes }] });
      const signature = createHmac('sha256', appSecret).update(text).digest('hex');
      const headers = { 'x-hub-signature-256': `sha256=${signature}` };
      while (!caller.isEnding) {
        if (await send('POST', `/whatsapp/callbacks/${callbackId}`, headers, text)) return true;
      }
      return false;
    },
    close: () => dispatcher.destroy(),
  };

  async function send(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) {
    while (!caller.url && !caller.isEnding) await pause(5);
    if (!caller.url) return undefined;
    try {
      const response = await request(`${caller.url}${path}`, {
        dispatcher,
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body,
      });
      const text = await response.body.text();
      return response.statusCode === 200 ? JSON.parse(text || '{}') : undefined;
    } catch {
      return undefined;
    }
  }
  return caller;
}

/** One person: gets messages, whose states are reported, some of them twice, and writes. */
async function talk(
  caller: Caller,
  { id: tenantId }: LoadedTenant,
  client: number,
  acknowledged: Set<string>,
): Promise<void> {
  const phone = `+1415555${1_000 + client}`;
  for (let turn = 0; !caller.isEnding; turn++) {
    const body = { phone_number: phone, type: 'text', message: `Message ${turn}` };
    const sent = (await caller.call('POST', '/messages/send', body))?.data;
    if (sent) {
      acknowledged.add(`${sent.id} sent`);
      const status = (name: string) => ({
        id: sent.message_id,
        status: name,
        timestamp: String(Math.floor(Date.now() / 1_000)),
        biz_opaque_callback_data: `${tenantId}.${sent.id}`,
      });
      for (const name of turn % 3 === 0 ? ['failed'] : ['delivered', 'read']) {
        const statuses = [status('sent'), status(name), ...(turn % 2 ? [status(name)] : [])];
        if (await caller.report({ statuses })) acknowledged.add(`${sent.id} ${name}`);
      }
    }
    const id = `wamid.in.${client}.${turn}`;
    const from = phone.slice(1);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const messages = [{ id, from, timestamp, type: 'text', text: { body: `Reply ${turn}` } }];
    const contacts = [{ wa_id: from, profile: { name: `Person ${client}` } }];
    if (await caller.report({ contacts, messages })) acknowledged.add(`${id} received`);
  }
}

/** Follows the log until the load ends. */
async function follow(caller: Caller): Promise<Event[]> {
  const events: Event[] = [];
  let after = '';
  while (!caller.isEnding) {
    const page = await caller.call('GET', `/events?types=message.*&wait=1&limit=20${after}`);
    if (!page) continue;
    events.push(...page.data);
    after = `&after=${page.pagination.next}`;
  }
  return events;
}

async function readAll(caller: Caller): Promise<Event[]> {
  const events: Event[] = [];
  let after = '';
  for (;;) {
    const page = await caller.call('GET', `/events?types=message.*&limit=500${after}`);
    if (page?.data.length === 0) return events;
    if (!page) continue;
    events.push(...page.data);
    after = `&after=${page.pagination.next}`;
  }
}

async function outboxEmpty({ db }: Services, tenantId: number): Promise<void> {
  for (;;) {
    const { rows } = await db.query(sql`
      select from event_outbox where tenant_id = ${tenantId} limit 1`);
    if (rows.length === 0) return;
    await pause(50);
  }
}

const order = ['received', 'sent', 'failed', 'delivered', 'read'];

function hasAllStates(acknowledged: Set<string>): boolean {
  return new Set([...acknowledged].map((name) => name.split(' ')[1])).size === order.length;
}

async function examine(
  { db }: Services,
  tenantId: number,
  events: Event[],
  acknowledged: Set<string>,
): Promise<string[]> {
  const faults: string[] = [];
  const happened = await shownByDatabase(db, tenantId);
  const found = new Set<string>();
  const furthest = new Map<unknown, number>();
  const numbers = new Map<unknown, number>();
  for (const { event, data } of events) {
    const status = event.replace('message.', '');
    const name = `${status === 'received' ? data.message_id : data.id} ${status}`;
    if (found.has(name)) faults.push(`${name} came twice`);
    if (!happened.has(name)) faults.push(`${name} did not happen`);
    if (data.status !== status) faults.push(`${name} has the status ${data.status}`);
    const rank = order.indexOf(status);
    if (rank < (furthest.get(data.id) ?? -1)) faults.push(`${name} came after a further state`);
    const number = (numbers.get(data.phone_number) ?? 0) + 1;
    if (data.sequence !== number) faults.push(`${name} has the number ${data.sequence}`);
    found.add(name);
    furthest.set(data.id, rank);
    numbers.set(data.phone_number, number);
  }
  for (const name of acknowledged) {
    if (!happened.has(name)) faults.push(`${name} was acknowledged and is not stored`);
  }
  for (const name of happened) if (!found.has(name)) faults.push(`${name} was lost`);
  return faults;
}

/** Lists the states that have an event, acknowledged or not. Here they are all reported in their order. */
async function shownByDatabase(db: Services['db'], tenantId: number): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(sql`
    select message_id || ' ' || reached.status as name
    from message_states
    cross join lateral (values
      ('sent', sent_at), ('failed', failed_at), ('delivered', delivered_at), ('read', read_at)
    ) as reached (status, at)
    where tenant_id = ${tenantId} and reached.at is not null
    union all
    select network_id || ' received' from message_states
    where tenant_id = ${tenantId} and status = 'received'`);
  return new Set(rows.map(({ name }) => name));
}
