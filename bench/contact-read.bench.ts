import sql from 'sql-template-tag';
import { Agent, request } from 'undici';
import { eventTypes } from '../src/webhooks/schema.ts';
import { setWebhook } from '../src/webhooks/set-webhook.ts';
import { insertContacts } from '../test/features/insert-contacts.ts';
import { openPlace } from './open-place.ts';
import { median, startServer } from './processes.ts';
import { type SeededTenant, seedTenant } from './seed-tenant.ts';

/**
 * Measures how much `contact.read` events slow down a list of 100 contacts: the same list of two tenants, one
 * whose webhook subscribes to them and one whose webhook does not, alternately, one request at a time.
 * Nothing is delivered meanwhile.
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
  const subscribed = await seed('subscribed', [...eventTypes]);
  const quiet = await seed(
    'quiet',
    eventTypes.filter((type) => type !== 'contact.read'),
  );
  await list(subscribed, 50);
  await list(quiet, 50);
  const times: { subscribed: number[]; quiet: number[] } = { subscribed: [], quiet: [] };
  for (let round = 0; round < rounds; round++) {
    times.quiet.push(...(await list(quiet, requestsPerRound)));
    times.subscribed.push(...(await list(subscribed, requestsPerRound)));
  }
  const { rows } = await services.db.query<{ count: number }>(sql`
    select sum(json_array_length(data::json)) as count from event_batches`);
  const [without, withEvents] = [median(times.quiet), median(times.subscribed)];
  console.log(
    `a list of 100: ${without.toFixed(2)} ms without, ${withEvents.toFixed(2)} ms with contact.read ` +
      `(${((withEvents / without - 1) * 100).toFixed(0)} % more; the goal is at most 25 %); medians, ${rows[0]!.count} events`,
  );
} finally {
  await dispatcher.destroy();
  await server.stop();
  await close();
}

async function seed(slug: string, events: string[]): Promise<SeededTenant> {
  const { db } = services;
  // Each may make 600 requests a minute.
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
    const startedAt = performance.now();
    const { statusCode, body } = await request(
      `https://localhost:${server.port}/api/${slug}/contacts?per_page=100&page=${(index % 10) + 1}`,
      { dispatcher, headers: { authorization: `Bearer ${tokens[index % tokens.length]}` } },
    );
    const { data } = (await body.json()) as { data: unknown[] };
    times.push(performance.now() - startedAt);
    if (statusCode !== 200 || data.length !== 100)
      throw new Error(`the list responded with ${statusCode}`);
  }
  return times;
}
