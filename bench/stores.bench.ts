import { parseArgs } from 'node:util';
import { createStore } from '../src/stores/setup/create-store.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { openPlace } from './open-place.ts';
import type { PacedResult } from './paced-load.ts';
import {
  cpuMs,
  databaseCpuMs,
  median,
  type Paced,
  preparePaced,
  startServer,
} from './processes.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Measures a flood of posts to one store during the sends of another tenant: the sends alone, then with the
 * flood, alternately, each at its own fixed rate. The goals: the flood gets its responses within 50 ms at the
 * 99th percentile, and the neighbour's 99th percentile stays within 1.5 times its own.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
    posts: { type: 'string', default: '1000' },
    sends: { type: 'string', default: '100' },
  },
});
const seconds = Number(values.seconds);
const postsPerSecond = Number(values.posts);
const sendsPerSecond = Number(values.sends);
/** A token may make 600 requests a minute, so the neighbour has many. */
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

const { dataDir, environment, services, close } = await openPlace();
const stub = await startServer('bench/network-stub.ts', {});
const store = await seedStore();
const { tokens } = await seedSender(services, 'neighbour', tokenCount);
const parley = await startServer('bench/parley.ts', {
  ...environment,
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
}

async function compare(): Promise<void> {
  await together([await sends(3), await posts(3)]);
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    await clearBacklog();
    process.stdout.write('the sends alone\n');
    const [alone] = await together([await sends(seconds)]);
    process.stdout.write('beside the flood\n');
    const [beside] = await together([await sends(seconds), await posts(seconds)]);
    ratios.push(beside!.p99 / alone!.p99);
    process.stdout.write(
      `neighbour's p99: ${ratios.at(-1)!.toFixed(2)} times its own; ${await waiting()} posts wait to be processed\n\n`,
    );
  }
  process.stdout.write(`median ${median(ratios).toFixed(2)}\n`);
}

/** Runs loads at the same time, and prints their results and the total cost. */
async function together(loads: Paced[]): Promise<PacedResult[]> {
  const before = await cpuOfServers();
  const results = await Promise.all(loads.map((load) => load.run()));
  const after = await cpuOfServers();
  const ms = (seconds * 1000) / 100;
  results.forEach((result, index) => {
    const { answered, failures, p50, p99, max } = result;
    if (failures > 0) throw new Error(`${failures} requests failed`);
    process.stdout.write(
      `  ${(index === 0 ? 'sends' : 'posts').padEnd(6)}${String(answered).padStart(7)} answered   p50 ${fixed(p50)} ms   p99 ${fixed(p99)} ms   max ${fixed(max)} ms\n`,
    );
  });
  const generators = results.reduce((sum, result) => sum + result.cpuMs, 0) / ms;
  process.stdout.write(
    `  of one core: Parley ${fixed((after.parley - before.parley) / ms)} %, database ${fixed((after.database - before.database) / ms)} %, network ${fixed((after.network - before.network) / ms)} %, generators ${fixed(generators)} %\n`,
  );
  return results;
}

async function cpuOfServers() {
  return {
    parley: await cpuMs(parley.child.pid!),
    network: await cpuMs(stub.child.pid!),
    database: await databaseCpuMs(dataDir),
  };
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

/** The sends of a tenant that has nothing to do with the store. */
function sends(forSeconds: number): Promise<Paced> {
  return preparePaced({
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

/** Orders of 4 KB, as WooCommerce sends them, partly of returning buyers. */
function posts(forSeconds: number): Promise<Paced> {
  const firstSerial = serial;
  serial += postsPerSecond * forSeconds;
  return preparePaced({
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

async function waiting(): Promise<number> {
  const { rows } = await services.db.pool.query(
    'select count(*) as count from store_events where due_at is not null',
  );
  return rows[0].count;
}

/** Clears the backlog, so that the next round starts with nothing to process. */
async function clearBacklog(): Promise<void> {
  await services.db.pool.query('update store_events set due_at = null where due_at is not null');
  await services.db.pool.query('vacuum analyze store_events');
}

function fixed(value: number): string {
  return value.toFixed(1).padStart(6);
}
