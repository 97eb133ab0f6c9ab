import sql from 'sql-template-tag';
import { Client } from 'undici';
import type { Db } from '../src/platform/database/database.ts';
import { statement } from '../src/platform/database/statement.ts';
import type { Services } from '../src/services.ts';
import { median, startServer } from './processes.ts';
import {
  indexAllTexts,
  type LabelledTenant,
  needle,
  seedContacts,
  tenthName,
} from './seed-contacts.ts';
import type { SeededTenant } from './seed-tenant.ts';

/**
 * Measures how reading pages and searching grow from 10,000 to 1,000,000 contacts, alternately in one run.
 */
export async function measureReads(
  services: Services,
  dataDir: string,
  { largeCount, rounds }: { largeCount: number; rounds: number },
): Promise<void> {
  const startedAt = performance.now();
  const others = 50;
  for (let each = 0; each < others; each++) await seedContacts(services, `other-${each}`, 2_000, 0);
  const small = await seedContacts(services, 'small', 10_000, 20);
  const middle = await seedContacts(services, 'middle', largeCount / 10, 20);
  const large = await seedContacts(services, 'large', largeCount, 60);
  await indexAllTexts(services);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(
    `\n${largeCount} contacts and ${others + 2} other tenants created in ${seconds} s\n`,
  );

  const server = await startServer('bench/parley.ts', {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY_ROLES: 'api',
    PARLEY_LOG_LEVEL: 'warn',
  });
  const client = new Client(`https://127.0.0.1:${server.port}`, {
    connect: { rejectUnauthorized: false },
  });
  try {
    await growth(client, small, large, largeCount, rounds);
    await filters(client, small, large, rounds);
    await countAgainst(client, services.db, large);
    await walks(client, middle, large, largeCount);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function growth(
  client: Client,
  small: SeededTenant,
  large: SeededTenant,
  largeCount: number,
  rounds: number,
) {
  const last = (total: number) => Math.ceil(total / 25);
  const cases: [string, number, (total: number) => string][] = [
    ['first page', 3, () => ''],
    ['last page', 3, (total) => `?page=${last(total)}`],
    ['search, 3 hits', 3, () => `?search=${encodeURIComponent(needle)}`],
    ['search, no hit', 3, () => '?search=zyzzyva'],
    ['a phone', 3, () => '?search=%2B4915000001234'],
    // Another page each time, so that nothing is cached.
    [
      'jump to the middle',
      10,
      (total) => `?page=${Math.floor(last(total) * (0.3 + Math.random() * 0.4))}`,
    ],
  ];
  process.stdout.write('\nmedian ms             10,000    large   growth   at most\n');
  for (const [what, limit, query] of cases) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.small.push(await get(client, small, query(10_000)));
      times.large.push(await get(client, large, query(largeCount)));
    }
    line(what, median(times.small), median(times.large), limit);
  }
}

/**
 * Filters and sorts of the API, at the first page, and by cursor at the second. Broad ones have half of all
 * contacts, as updated ones all.
 */
async function filters(
  client: Client,
  small: LabelledTenant,
  large: LabelledTenant,
  rounds: number,
): Promise<void> {
  const since = encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString());
  const cases: [string, (tenant: LabelledTenant) => string][] = [
    ['status, half', ({ labels }) => `status_id=${labels.status}`],
    ['source, a tenth', ({ labels }) => `source_id=${labels.source}`],
    ['group, half', ({ labels }) => `group_id=${labels.group}`],
    [
      'status, source and group',
      ({ labels }) =>
        `status_id=${labels.status}&source_id=${labels.source}&group_id=${labels.group}`,
    ],
    ['updated after, all', () => `updated_after=${since}`],
    ['email', () => 'email=nobody%40example.com'],
    ['sort=created_at', () => 'sort=created_at'],
    ['sort=firstname', () => 'sort=firstname'],
    ['sort=-last_message_at', () => 'sort=-last_message_at'],
    ['status, sort=firstname', ({ labels }) => `sort=firstname&status_id=${labels.status}`],
    ['group, sort=created_at', ({ labels }) => `sort=created_at&group_id=${labels.group}`],
    ['search, status', ({ labels }) => `search=${tenthName}&status_id=${labels.status}`],
  ];
  process.stdout.write('\nmedian ms             10,000    large   growth   at most\n');
  for (const [what, query] of cases) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < Math.min(rounds, 9); round++) {
      times.small.push(await get(client, small, `?${query(small)}`));
      times.large.push(await get(client, large, `?${query(large)}`));
    }
    line(what, median(times.small), median(times.large), 3);
  }
}

async function countAgainst(client: Client, db: Db, large: SeededTenant): Promise<void> {
  const bare = statement(
    'bare-count',
    sql`select count(*) from search_texts
        where tenant_id = ${large.id}
          and search_grams(tenant_id, text) @@ search_query(${large.id}, ${tenthName})
          and strpos(text, ${tenthName}) > 0`,
  );
  const times = { bare: [] as number[], search: [] as number[] };
  for (let round = 0; round < 9; round++) {
    const startedAt = performance.now();
    await db.query(bare);
    times.bare.push(performance.now() - startedAt);
    times.search.push(await get(client, large, `?search=${tenthName}`));
  }
  process.stdout.write('\nmedian ms           count(*)   search    ratio   at most\n');
  line('search, a tenth', median(times.bare), median(times.search), 2);
}

/**
 * Walks all pages alternately, a tenth of the long walk at a time, because it takes a minute, during which
 * the speed of the machine changes.
 */
async function walks(
  client: Client,
  middle: SeededTenant,
  large: SeededTenant,
  largeCount: number,
): Promise<void> {
  const pages = largeCount / 1_000;
  const walk = async (tenant: SeededTenant, first: number) => {
    const startedAt = performance.now();
    for (let page = first; page < first + pages; page++) {
      await get(client, tenant, `?per_page=100&page=${page}`);
    }
    return performance.now() - startedAt;
  };
  const times = { middle: [] as number[], large: 0 };
  for (let part = 0; part < 10; part++) {
    times.middle.push(await walk(middle, 1));
    times.large += await walk(large, 1 + part * pages);
  }
  process.stdout.write('\nms                     middle    large   growth   at most\n');
  line('walk, pages of 100', median(times.middle), times.large, 12);
}

let requests = 0;

async function get(client: Client, { slug, tokens }: SeededTenant, query: string): Promise<number> {
  const token = tokens[Math.floor(requests++ / 250) % tokens.length];
  const startedAt = performance.now();
  const response = await client.request({
    method: 'GET',
    path: `/api/${slug}/contacts${query}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${query}: ${text}`);
  return performance.now() - startedAt;
}

function line(what: string, small: number, large: number, limit: number): void {
  process.stdout.write(
    `${what.padEnd(20)}${small.toFixed(2).padStart(9)}${large.toFixed(2).padStart(9)}` +
      `${(large / small).toFixed(2).padStart(9)}${String(limit).padStart(10)}\n`,
  );
}
