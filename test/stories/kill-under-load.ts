import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { Services } from '../../src/services.ts';
import { createTenant } from '../../src/tenants/create-tenant.ts';
import { createToken } from '../../src/tenants/tokens/create-token.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { forkService } from '../program/fork-service.ts';
import { startReceiver } from '../servers/receiver.ts';

/** More than enough tokens, each with its 600 requests a minute. */
const tokenCount = 100;
const clients = 8;

export type Outcome = {
  /** Every change that the API acknowledged or that the database shows, as `event id [mark]`. */
  changes: Set<string>;
  /** Every delivery that was received, with the number of times. */
  received: Map<string, number>;
  /** Faults of the deliveries themselves. */
  faults: string[];
};

/**
 * Kills the service with SIGKILL again and again, each time at another moment, while clients make changes
 * through its API and a receiver gets the events. Then lets the last process finish its work.
 *
 * @param services of this process, on the same database as the killed service
 * @param environment of the service
 */
export async function killUnderLoad(
  services: Services,
  environment: Record<string, string>,
  kills: number,
): Promise<Outcome> {
  const receiver = await startReceiver();
  // The service can also be killed between the receipt and the response.
  receiver.answer = (_received, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 20);
  };
  const tenant = await createTenant(services.db, { slug: 'killed', plan: 'enterprise' });
  const { secret } = await setWebhook(services, tenant.id, { url: `${receiver.url}/hook` });
  const tokens = await createTokens(services, tenant.id);

  const acknowledged = new Set<string>();
  const service: { url: string | undefined } = { url: undefined };
  const start = async () => {
    const started = forkService({ PARLEY_LOG_LEVEL: 'error', ...environment });
    service.url = (await started.first).url;
    return started;
  };
  const ended = new AbortController();
  const load = Array.from({ length: clients }, (_, client) =>
    makeChanges({ service, tokens, client, acknowledged, ended: ended.signal }),
  );
  for (let kill = 0; kill < kills; kill++) {
    const running = await start();
    if (kill === 0) await untilOfEveryKind(acknowledged);
    await underLoad(acknowledged);
    service.url = undefined;
    await running.end('SIGKILL');
  }
  ended.abort();
  await Promise.all(load);

  const last = await start();
  await allDelivered(services, tenant.id);
  await last.end();
  await receiver.close();

  const { received, faults } = examine(receiver.received, secret);
  for (const change of await shownByDatabase(services, tenant.id)) acknowledged.add(change);
  return { changes: acknowledged, received, faults };
}

/** Waits until statuses and contacts were created, changed and deleted. */
async function untilOfEveryKind(acknowledged: Set<string>): Promise<void> {
  const kinds = () => new Set(Array.from(acknowledged, (change) => change.split(' ')[0]));
  while (kinds().size < 6) await pause(10);
}

/** Waits until some more changes were acknowledged, and a random time longer. */
async function underLoad(acknowledged: Set<string>): Promise<void> {
  const enough = acknowledged.size + 1 + Math.random() * 30;
  while (acknowledged.size < enough) await pause(1);
  await pause(Math.random() * 30);
}

/** One client: creates, changes and deletes statuses and contacts, and continues after each kill. */
async function makeChanges(given: {
  service: { url: string | undefined };
  tokens: string[];
  client: number;
  acknowledged: Set<string>;
  ended: AbortSignal;
}): Promise<void> {
  const { service, tokens, client, acknowledged, ended } = given;
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  for (let turn = 0; !ended.aborted; turn++) {
    const mark = `${client}-${turn}`;
    const phone = `+92300${String(client * 100_000 + turn).padStart(7, '0')}`;
    const status = await change('POST', '/statuses', { name: mark });
    if (status) {
      await change('PUT', `/statuses/${status}`, { description: mark }, mark);
      if (turn % 2) await change('DELETE', `/statuses/${status}`);
    }
    const contact = await change('POST', '/contacts', { firstname: mark, phone });
    if (contact) {
      await change('PUT', `/contacts/${contact}`, { city: mark }, mark);
      if (turn % 2) await change('DELETE', `/contacts/${contact}`);
    }
  }
  await dispatcher.destroy();

  /** @returns the id of the record if the API acknowledged the change */
  async function change(method: string, path: string, body?: object, mark = '') {
    while (!service.url && !ended.aborted) await pause(5);
    if (ended.aborted) return undefined;
    try {
      const response = await request(`${service.url}/api/killed${path}`, {
        dispatcher,
        method: method as 'POST',
        headers: {
          authorization: `Bearer ${tokens[Math.floor(Math.random() * tokens.length)]}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body && JSON.stringify(body),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) return undefined;
      const { id } = (JSON.parse(text) as { data: { id: number } }).data;
      const what = { POST: 'created', PUT: 'updated', DELETE: 'deleted' }[method];
      const one = path.startsWith('/statuses') ? 'status' : 'contact';
      acknowledged.add(`${one}.${what} ${id} ${mark}`.trim());
      return id;
    } catch {
      return undefined; // killed meanwhile: the outcome is unknown, and read from the database at the end
    }
  }
}

/** Lists the changes that must have been delivered, acknowledged or not, based on the tables. */
async function shownByDatabase({ db }: Services, tenantId: number): Promise<string[]> {
  const { rows } = await db.query<{ change: string }>(sql`
    select 'status.created ' || id as change from statuses where tenant_id = ${tenantId}
    union all
    select 'status.updated ' || id || ' ' || description from statuses
    where tenant_id = ${tenantId} and description is not null
    union all
    select 'status.deleted ' || id from statuses
    where tenant_id = ${tenantId} and deleted_at is not null
    union all
    select 'contact.created ' || id from contacts where tenant_id = ${tenantId}
    union all
    select 'contact.updated ' || id || ' ' || city from contacts
    where tenant_id = ${tenantId} and city is not null`);
  return rows.map((row) => row.change);
}

/** Checks that every delivery is signed, and that deliveries with the same id have the same bytes. */
function examine(
  deliveries: Awaited<ReturnType<typeof startReceiver>>['received'],
  secret: string,
): Pick<Outcome, 'received' | 'faults'> {
  const received = new Map<string, number>();
  const faults: string[] = [];
  const idOf = new Map<string, string>();
  const bytesOf = new Map<string, string>();
  const webhook = new Webhook(secret);
  for (const { headers, raw, body } of deliveries) {
    const { event, data } = body;
    const mark = event === 'status.updated' ? data.description : data.city;
    const change = `${event} ${data.id} ${event.endsWith('.updated') ? mark : ''}`.trim();
    const id = String(headers['webhook-id']);
    received.set(change, (received.get(change) ?? 0) + 1);
    if ((idOf.get(change) ?? id) !== id) faults.push(`${change} came with two ids`);
    if ((bytesOf.get(id) ?? raw) !== raw) faults.push(`${id} came with other bytes`);
    idOf.set(change, id);
    bytesOf.set(id, raw);
    try {
      webhook.verify(raw, headers as Record<string, string>);
    } catch (error) {
      // After a long run, the first deliveries are older than the library accepts.
      if (!String(error).includes('too old')) faults.push(`${id}: ${error}`);
    }
  }
  return { received, faults };
}

async function createTokens({ db }: Services, tenantId: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: tokenCount }, async (_, index) => {
      const { value } = await createToken(db, tenantId, {
        name: String(index),
        abilities: ['all'],
        active: true,
      });
      return value;
    }),
  );
}

/** Work of a killed process waits for the end of its lease. */
async function allDelivered({ db }: Services, tenantId: number): Promise<void> {
  for (;;) {
    const { rows } = await db.query(sql`
      select from deliveries where tenant_id = ${tenantId} and state = 'waiting' limit 1`);
    if (rows.length === 0) return;
    await pause(100);
  }
}
