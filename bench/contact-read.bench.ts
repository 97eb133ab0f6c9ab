import sql from 'sql-template-tag';
import { Agent, request } from 'undici';
import { eventTypes } from '../src/webhooks/schema.ts';
import { setWebhook } from '../src/webhooks/set-webhook.ts';
import { insertContacts } from '../test/insert-contacts.ts';
import { openPlace } from './open-place.ts';
import { median, startServer } from './processes.ts';
import { type SeededTenant, seedTenant } from './seed-tenant.ts';

/**
 * What it adds to a list of 100 contacts that each of them is an event: the same list of two
 * tenants, one with a webhook that wants `contact.read` and one with a webhook that does not, in
 * turns, one request at a time. Nothing is delivered meanwhile.
 *
 *     npm run bench -- contact-read [rounds]
 */
const rounds = Number(process.argv[3] ?? 15);
const requestsPerRound = 40;
const { environment, services, close } = await openPlace({
  PARLEY_LOG_LEVEL: 'error',
  PARLEY_ROLES: 'api',
});
const server = await startServer('bench/parley.ts', { ...environment, PARLEY_PORT: '0' });
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
try {
  const told = await seed('told', [...eventTypes]);
  const quiet = await seed(
    'quiet',
    eventTypes.filter((type) => type !== 'contact.read'),
  );
  await list(told, 50);
  await list(quiet, 50);
  const times: { told: number[]; quiet: number[] } = { told: [], quiet: [] };
  for (let round = 0; round < rounds; round++) {
    times.quiet.push(...(await list(quiet, requestsPerRound)));
    times.told.push(...(await list(told, requestsPerRound)));
  }
  const { rows } = await services.db.query<{ count: number }>(sql`
    select sum(json_array_length(data::json)) as count from event_batches`);
  const [without, withEvents] = [median(times.quiet), median(times.told)];
  console.log(
    `a list of 100: ${without.toFixed(2)} ms without, ${withEvents.toFixed(2)} ms with contact.read ` +
      `(${((withEvents / without - 1) * 100).toFixed(0)} % more; at most 25 % is wanted); medians, ${rows[0]!.count} events`,
  );
} finally {
  await dispatcher.destroy();
  await server.stop();
  await close();
}

async function seed(slug: string, events: string[]): Promise<SeededTenant> {
  const { db } = services;
  // For 600 requests a minute each.
  const tenant = await seedTenant(services, slug, 10);
  const { id } = tenant;
  await setWebhook(services, id, { url: 'https://hooks.example.com/', events });
  await insertContacts(
    db,
    'tenant_id, firstname, lastname, phone, email, city',
    sql`
      select ${id}, 'Aisha ' || n, 'Karim', '+92300' || lpad(n::text, 7, '0'),
             'a' || n || '@example.com', 'Lahore'
      from generate_series(1, 1000) as n`,
  );
  await db.query(sql`analyze contacts`);
  return tenant;
}

/** @returns the milliseconds that each request took */
async function list({ slug, tokens }: SeededTenant, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const begun = performance.now();
    const { statusCode, body } = await request(
      `https://localhost:${server.port}/api/${slug}/contacts?per_page=100&page=${(index % 10) + 1}`,
      { dispatcher, headers: { authorization: `Bearer ${tokens[index % tokens.length]}` } },
    );
    const { data } = (await body.json()) as { data: unknown[] };
    times.push(performance.now() - begun);
    if (statusCode !== 200 || data.length !== 100)
      throw new Error(`the list answered ${statusCode}`);
  }
  return times;
}
