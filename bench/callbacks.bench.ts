import { parseArgs } from 'node:util';
import { connectNumber } from '../src/numbers/connect-number.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { forkProgram } from '../test/program/fork-program.ts';
import type { CallbackLoad, CallbackResult } from './callback-load.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, startServer } from './processes.ts';

/**
 * Measures status callbacks of one number at a steady rate, with everything on (TLS, signatures, durable
 * commits): how long the network waits for the response, and whether every message ends with the reported
 * status.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '3000' },
    'in-post': { type: 'string', default: '1' },
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
  PARLEY_ROLES: 'api',
});
try {
  const { load, tenantId } = await seed();
  const before = await cpuMs(parley.child.pid!);
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
} finally {
  await parley.stop();
  await close();
}

async function seed(): Promise<{ load: CallbackLoad; tenantId: number }> {
  const { db } = services;
  const { id: tenantId } = await createTenant(db, { slug: 'bench', plan: 'enterprise' });
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

async function putCallbacks(load: CallbackLoad): Promise<CallbackResult> {
  return forkProgram<CallbackResult>(new URL('callback-load.ts', import.meta.url), {
    environment: { BENCH_LOAD: JSON.stringify(load) },
    output: 'inherit',
  }).first;
}
