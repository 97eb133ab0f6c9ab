import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { connectNumber } from '../src/numbers/connect-number.ts';
import { openServices } from '../src/open-services.ts';
import { createStore } from '../src/stores/create-store.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { createToken } from '../src/tenants/create-token.ts';
import type { PacedLoad, PacedResult } from './paced-load.ts';
import { median, startServer } from './processes.ts';

/**
 * A flood of posts to one store beside the sends of another tenant: the sends alone, then with the
 * flood, in turns, each at its own fixed rate. What is asked: the flood is answered within 50 ms at
 * the 99th percentile, and the neighbour's 99th percentile stays within 1.5 times its own.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '2' },
    posts: { type: 'string', default: '1000' },
    sends: { type: 'string', default: '100' },
  },
});
const seconds = Number(values.seconds);
const postsPerSecond = Number(values.posts);
const sendsPerSecond = Number(values.sends);
/** A token makes at most 600 requests a minute, so the neighbour has many. */
const tokenCount = Math.ceil((sendsPerSecond * 60) / 500);
const order = JSON.stringify({
  id: 0,
  status: 'processing',
  currency: 'EUR',
  date_modified_gmt: '2026-11-02T09:15:07',
  total: '1234.50',
  customer_id: 0,
  billing: {
    first_name: 'Ann',
    last_name: 'Buyer {serial}',
    city: 'Cologne',
    country: 'DE',
    email: 'ann@shop.example',
    phone: '0221 4771234',
  },
  line_items: [{ id: 77, name: 'Tea', quantity: 2, total: '1229.60' }],
  meta_data: Array.from({ length: 40 }, (_each, id) => ({
    id,
    key: `_plugin_${id}`,
    value: 'x'.repeat(50),
  })),
}).replace('"id":0', '"id":{serial}');
const secret = 'bench-secret';
let serial = 2_200_000_000;

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
const { services, close } = await openServices(
  readConfig({ PARLEY_DATA_DIR: dataDir, PARLEY_LOG_LEVEL: 'warn' }),
);
const stub = await startServer('bench/network-stub.ts', {});
const store = await seedStore();
const tokens = await seedNeighbour();
const parley = await startServer('bench/parley.ts', {
  PARLEY_DATA_DIR: dataDir,
  PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_PORT: '0',
  PARLEY_LOG_LEVEL: 'error',
});
const url = `https://127.0.0.1:${parley.port}`;
try {
  await compare();
} finally {
  for (const server of [parley, stub]) await server.stop();
  await close();
  await rm(dataDir, { recursive: true, force: true });
}

async function compare(): Promise<void> {
  await Promise.all([sends(3), posts(3)]);
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    await giveUpBacklog();
    const alone = await sends(seconds);
    const [beside, flood] = await Promise.all([sends(seconds), posts(seconds)]);
    ratios.push(beside.p99 / alone.p99);
    line('sends alone', alone);
    line('sends beside the flood', beside);
    line('posts of the flood', flood);
    process.stdout.write(
      `neighbour's p99: ${ratios.at(-1)!.toFixed(2)} times its own; ${await waiting()} posts wait to be processed\n\n`,
    );
  }
  process.stdout.write(`median ${median(ratios).toFixed(2)}\n`);
}

async function seedStore() {
  const { db } = services;
  const tenant = await createTenant(db, { slug: 'flooded', plan: 'enterprise' });
  const made = await createStore(services, tenant.id, {
    platform: 'woocommerce',
    name: 'Flood',
    secret,
  });
  return made.store;
}

async function seedNeighbour(): Promise<string[]> {
  const { db } = services;
  const tenant = await createTenant(db, { slug: 'neighbour', plan: 'enterprise' });
  await connectNumber(services, tenant.id, {
    phoneNumberId: '1',
    businessAccountId: '1',
    accessToken: 'token',
    appSecret: 'secret',
  });
  const tokens: string[] = [];
  for (let each = 0; each < tokenCount; each++) {
    const made = await createToken(db, tenant.id, { name: 'n', abilities: ['all'], active: true });
    tokens.push(made.value);
  }
  return tokens;
}

/** The sends of a tenant that has nothing to do with the store. */
function sends(forSeconds: number): Promise<PacedResult> {
  return pacedLoad({
    url,
    perSecond: sendsPerSecond,
    seconds: forSeconds,
    connections: 10,
    targets: tokens.map((token) => ({
      path: '/api/neighbour/messages/send',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })),
    body: JSON.stringify({
      phone_number: '+14155550123',
      type: 'text',
      message: 'Your order is on its way.',
    }),
    firstSerial: 0,
  });
}

/** Orders of 4 KB, as WooCommerce sends them; buyers come back. */
function posts(forSeconds: number): Promise<PacedResult> {
  const firstSerial = serial;
  serial += postsPerSecond * forSeconds;
  return pacedLoad({
    url,
    perSecond: postsPerSecond,
    seconds: forSeconds,
    connections: 40,
    targets: [
      {
        path: `/api/webhooks/${store.webhook_id}`,
        headers: {
          'content-type': 'application/json',
          'x-wc-webhook-topic': 'order.created',
          'x-wc-webhook-delivery-id': 'bench',
        },
      },
    ],
    signing: { header: 'x-wc-webhook-signature', secret },
    body: order,
    firstSerial,
  });
}

async function pacedLoad(load: PacedLoad): Promise<PacedResult> {
  const child = fork(new URL('paced-load.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(load);
  const ended = once(child, 'exit');
  const [result] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('the load generator ended early');
    }),
  ])) as [PacedResult];
  await ended;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return result;
}

async function waiting(): Promise<number> {
  const { rows } = await services.db.pool.query(
    'select count(*) as count from store_events where due_at is not null',
  );
  return rows[0].count;
}

/** The next round begins with nothing to process. */
async function giveUpBacklog(): Promise<void> {
  await services.db.pool.query('update store_events set due_at = null where due_at is not null');
  await services.db.pool.query('vacuum analyze store_events');
}

function line(what: string, { answered, p50, p99, max }: PacedResult): void {
  process.stdout.write(
    `${what.padEnd(24)}${String(answered).padStart(7)} answered   p50 ${p50.toFixed(1).padStart(6)} ms` +
      `   p99 ${p99.toFixed(1).padStart(6)} ms   max ${max.toFixed(1).padStart(6)} ms\n`,
  );
}
