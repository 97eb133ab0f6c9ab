import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectNumber } from '../src/numbers/connecting/connect-number.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { createToken } from '../src/tenants/tokens/create-token.ts';
import { forkProgram } from '../test/program/fork-program.ts';
import type { CallbackLoad, CallbackResult } from './callback-load.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, startServer } from './processes.ts';

/**
 * Measures status callbacks of one number at a steady rate, with everything on (TLS, signatures, durable
 * commits): how long the network waits for the response, and whether every message ends with the reported
 * status. With `--events`, also whether every status has an event in the log, and how long after it.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '3000' },
    'in-post': { type: 'string', default: '1' },
    events: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const perSecond = Number(values.rate);
const messages = (perSecond / 3) * seconds;
const appSecret = 'bench-secret';
const phoneNumberId = '1';

const { environment, services, close } = await openPlace();
const parley = await startServer('bench/parley.ts', {
  ...environment,
  PARLEY_PORT: '0',
  PARLEY_NETWORK_URL: 'http://127.0.0.1:9',
  PARLEY_ROLES: values.events ? 'api,workers' : 'api',
});
try {
  const { load, tenantId } = await seed();
  const before = await cpuMs(parley.child.pid!);
  const lags = values.events ? followEvents(tenantId, load.perSecond * load.seconds) : undefined;
  const result = await putCallbacks(load);
  const spent = (await cpuMs(parley.child.pid!)) - before;
  const { rows } = await services.db.pool.query(
    `select count(*)::int as read from message_states
     where tenant_id = $1 and status = 'read' and sent_at is not null and delivered_at is not null`,
    [tenantId],
  );
  process.stdout.write(
    [
      '',
      `${result.statuses} statuses in ${result.posts} posts over ${result.seconds.toFixed(1)} s: ${(result.statuses / result.seconds).toFixed(0)} a second`,
      `latency          p50 ${result.p50.toFixed(1)} ms   p99 ${result.p99.toFixed(1)} ms   longest ${result.max.toFixed(0)} ms   above 1 s: ${(result.shareAboveSecond * 100).toFixed(2)} %`,
      `other than 200   ${result.failures}`,
      `messages that ended as reported: ${rows[0].read} of ${messages}`,
      `CPU of the server ${((spent / result.statuses) * 1_000).toFixed(0)} µs a status`,
      '',
    ].join('\n'),
  );
  if (lags) {
    const sorted = (await lags).sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
    // Every message is `sent` already, so that status is no event. The messages whose load begins with `read` are
    // delivered before, which is none any more.
    const expected = (result.statuses / 3) * 2 - perSecond / 3;
    process.stdout.write(
      `events           ${sorted.length} of ${expected}, after p50 ${at(0.5)} ms   p99 ${at(0.99)} ms (the goal is 2,000)\n`,
    );
  }
} finally {
  await parley.stop();
  await close();
}

async function seed(): Promise<{ load: CallbackLoad; tenantId: number }> {
  const { db } = services;
  const { id: tenantId } = await createTenant(db, { slug: 'bench', plan: 'enterprise' });
  if (values.events) {
    await createToken(db, tenantId, { name: 'reader', abilities: ['events:read'], active: true });
  }
  const number = await connectNumber(services, tenantId, {
    phoneNumberId,
    businessAccountId: '1',
    accessToken: 'token',
    appSecret,
  });
  const { rows } = await db.pool.query(
    `with message as (
       insert into messages (tenant_id, number_id, direction, person, kind, content)
       select $1, $2, 'out', '+1415' || 5550000 + n % 5000, 'text',
              '{"text":"Your order is on its way."}'
       from generate_series(1, $3::int) as n
       returning tenant_id, id, created_at
     ), state as (
       insert into message_states (tenant_id, message_id, created_at, status, network_id, sent_at)
       select tenant_id, id, created_at, 'sent', 'wamid.BENCH' || id, now() from message
     ) select min(id) as first from message`,
    [tenantId, number.id, messages],
  );
  const firstMessageId = rows[0].first;
  await db.pool.query('vacuum analyze messages, message_states');
  return {
    tenantId,
    load: {
      url: `https://127.0.0.1:${parley.port}/whatsapp/callbacks/${number.callback_id}`,
      appSecret,
      phoneNumberId,
      tenantId,
      firstMessageId,
      perSecond,
      seconds,
      statusesInPost: Number(values['in-post']),
    },
  };
}

/**
 * Reads the log while events arrive, and until none has arrived for five seconds.
 *
 * @returns the milliseconds from the transaction of each event until it was in the log
 */
async function followEvents(tenantId: number, most: number): Promise<number[]> {
  const lags: number[] = [];
  let position = 0;
  for (let quietMs = 0; quietMs < 5_000 && lags.length < most; quietMs += 100) {
    const { rows } = await services.db.pool.query(
      `select position, extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as lag
       from events where tenant_id = $1 and position > $2 order by position`,
      [tenantId, position],
    );
    for (const row of rows) lags.push(row.lag);
    if (rows.length > 0) position = rows.at(-1).position;
    // The load may not have begun.
    if (rows.length > 0 || lags.length === 0) quietMs = 0;
    await pause(100);
  }
  return lags;
}

async function putCallbacks(load: CallbackLoad): Promise<CallbackResult> {
  return forkProgram<CallbackResult>(new URL('callback-load.ts', import.meta.url), {
    environment: { BENCH_LOAD: JSON.stringify(load) },
    output: 'inherit',
  }).first;
}
