import { request } from 'node:http';
import { hostname } from 'node:os';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks } from '../../test/database/locks.ts';
import { postCallback } from '../../test/features/post-callback.ts';
import { fixture, post, testStore, wooHeaders } from '../../test/features/stores.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import { startReceiver } from '../../test/servers/receiver.ts';
import { openDatabase } from '../platform/database/database.ts';
import { repeat } from '../platform/jobs/repeat.ts';
import { createMetrics } from '../platform/metrics.ts';
import { schemaVersion } from '../platform/migrating/schema-version.ts';
import { findRevision } from '../platform/revision.ts';
import { setPaused } from '../stores/queries.ts';
import { setWebhook } from '../webhooks/set-webhook.ts';
import { startWorkers } from '../workers.ts';
import { listenForOperator } from './listen-for-operator.ts';

const app = testApp({
  PARLEY_METRICS_PORT: '0',
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
});
const anyPort = { host: '127.0.0.1', port: 0 };
let operator: Awaited<ReturnType<typeof listenForOperator>>;
let shop: TestTenant;

beforeAll(async () => {
  operator = await listenForOperator(app.services, anyPort);
  shop = await app.tenant();
});
afterAll(() => operator.close());

/** A line of Prometheus' text format that is not a comment. */
const sample =
  /^([a-z][a-z0-9_]*(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) (Nan|[0-9.e+-]+)$/;

/** Reads the values by name and labels, strictly. */
async function scrape(url = operator.url): Promise<Map<string, number>> {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name, value] = sample.exec(line) ?? [];
      expect(name, line).toBeTruthy();
      return [name!, Number(value)];
    }),
  );
}

describe('metrics', () => {
  test('requests are counted by route and status, sends by outcome', async () => {
    const text = { phone_number: '+4915112345678', type: 'text', message: 'Hi' };
    await shop.call('POST', '/messages/send', text);
    await shop.call('POST', '/messages/send', { ...text, phone_number: '1' });
    await misbehave(app, shop, { failWith: 131026, failAs: 'answer' });
    await shop.call('POST', '/messages/send', text);
    await misbehave(app, shop, { failWith: 131016, failAs: 'answer' });
    await shop.call('POST', '/messages/send', text);
    const seen = await scrape();
    const requests = (status: number) =>
      `parley_http_request_duration_seconds_count{method="POST",route="/api/:tenant/messages/send",status="${status}"}`;
    expect(seen.get(requests(200))).toBe(1);
    expect(seen.get(requests(422))).toBe(2);
    expect(seen.get('parley_network_send_duration_seconds_count{outcome="accepted"}')).toBe(1);
    expect(seen.get('parley_network_send_duration_seconds_count{outcome="refused"}')).toBe(1);
    expect(seen.get('parley_network_send_duration_seconds_count{outcome="busy"}')).toBe(1);
    expect(seen.get('parley_database_up')).toBe(1);
    expect(seen.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    const build = `parley_build_info{version="${about.version}",revision="${findRevision()}",schema="${schemaVersion}"}`;
    expect(seen.get(build)).toBe(1);
    expect(seen.get('parley_database_listening')).toBe(1);
    expect(seen.get('parley_database_size_bytes')).toBeGreaterThan(1e6);
    expect(seen.get('parley_data_free_bytes')).toBeGreaterThan(0);
    expect(seen.get('parley_data_size_bytes')).toBeGreaterThan(seen.get('parley_data_free_bytes')!);
    expect(seen.get('parley_abandoned_sends_total')).toBe(0);
    expect(seen.get('parley_numbers')).toBe(1);
    expect(seen.get('parley_database_standbys{state="synchronous"}')).toBe(0);
  });

  test('what the network reports is counted: statuses, and each inbound message once', async () => {
    const seller = await app.tenant();
    const before = await scrape();
    const value = {
      statuses: [{ id: 'wamid.counted', status: 'failed', timestamp: '1790000000' }],
      messages: [
        {
          from: '14155550177',
          id: 'wamid.inbound',
          timestamp: '1790000000',
          type: 'text',
          text: { body: 'Hi' },
        },
      ],
    };
    for (let repeated = 0; repeated < 2; repeated++) await postCallback(app, seller, value);
    const after = await scrape();
    const increase = (name: string) => after.get(name)! - before.get(name)!;
    expect(increase('parley_status_reports_total{status="failed"}')).toBe(2);
    expect(increase('parley_inbound_messages_total')).toBe(1);
  });

  test('the age of the oldest snapshot of the database, which keeps all deleted rows, is reported', async () => {
    const age = async () => (await scrape()).get('parley_database_oldest_snapshot_seconds');
    const reader = await holdLocks(app, 'set transaction isolation level repeatable read');
    await reader.query('select 1');
    const first = (await age())!;
    const second = (await age())!;
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
    await reader.query('commit');
    expect(await age()).toBeLessThan(second);
  });

  test('the live and dead rows of large tables are reported', async () => {
    const rows = async (table: string, state: string) =>
      (await scrape()).get(`parley_database_rows{table="${table}",state="${state}"}`);
    await app.db.query(sql`
      insert into media_folders (id) select gen_random_uuid() from generate_series(1, 12000)`);
    await app.db.query(sql`delete from media_folders`);
    // PostgreSQL counts rows a moment after the commit.
    await eventually(async () => (await rows('media_folders', 'dead')) === 12_000);
    expect(await rows('media_folders', 'live')).toBe(0);
    expect(await rows('tenants', 'live')).toBeUndefined();
  });

  test('a clock that differs from that of the database is reported', async () => {
    const offset = async () => (await scrape()).get('parley_clock_offset_seconds')!;
    expect(Math.abs(await offset())).toBeLessThan(30);
    app.clock.offsetMs += 120_000;
    const ahead = await offset();
    app.clock.offsetMs -= 120_000;
    expect(ahead).toBeGreaterThan(90);
  });

  test('a process that just started reports what happens rarely as 0, and no certificate without a listener', async () => {
    const services = { ...app.services, metrics: createMetrics() };
    const fresh = await listenForOperator(services, anyPort);
    const stop = repeat('idle job', 3_600_000, services, async () => {});
    const seen = await scrape(fresh.url);
    await stop();
    await fresh.close();
    expect(seen.get('parley_network_send_duration_seconds_count{outcome="unknown"}')).toBe(0);
    expect(seen.get('parley_delivery_attempt_duration_seconds_count{outcome="failed"}')).toBe(0);
    expect(seen.get('parley_store_events_total{outcome="failed"}')).toBe(0);
    expect(seen.get('parley_status_reports_total{status="sent"}')).toBe(0);
    expect(seen.get('parley_kept_files_total{outcome="failed"}')).toBe(0);
    expect(seen.get('parley_connections_refused_total{limit="total"}')).toBe(0);
    expect(seen.get('parley_worker_failures_total{worker="idle job"}')).toBe(0);
    expect(seen.has('parley_certificate_expiry_timestamp_seconds')).toBe(false);
  });

  test('errors are counted by their code, so that those of one tenant can be left out', async () => {
    const text = { phone_number: '+4915112345678', type: 'text', message: 'Hi' };
    await misbehave(app, shop, { failWith: 190, failAs: 'answer' });
    expect((await shop.call('POST', '/messages/send', text)).status).toBe(500);
    const seen = await scrape();
    expect(seen.get('parley_http_errors_total{code="network_refused"}')).toBe(1);
  });

  test('requests over a limit are counted by the limit', async () => {
    const { call, id } = await app.tenant({ plan: 'starter', number: false });
    await call('GET', '/contacts');
    await app.db.query(sql`update token_days set requests = 60 where tenant_id = ${id}`);
    expect((await call('GET', '/contacts')).status).toBe(429);
    const reason = 'minute_used_up';
    expect((await scrape()).get(`parley_http_limited_total{reason="${reason}"}`)).toBe(1);
  });

  test('a job that never succeeds is known from its start, and its failures are counted while the database is there', async () => {
    const metrics = createMetrics();
    const fail = async () => {
      throw new Error('no');
    };
    for (const isLost of [false, true]) {
      const db = { ...app.db, isLost: () => isLost };
      await repeat(`fails ${isLost}`, 3_600_000, { ...app.services, db, metrics }, fail)();
    }
    const { values } = await metrics.workerFailures.get();
    expect(values.map(({ labels, value }) => [labels.worker, value])).toEqual([
      ['fails false', 1],
      ['fails true', 0],
    ]);
    const { values: runs } = await metrics.workerRuns.get();
    expect(runs.map(({ value }) => value > 1.7e9)).toEqual([true, true]);
  });

  test('no label names a tenant, and unknown paths do not create series', async () => {
    await shop.call('GET', '/nowhere/at-all');
    const names = [...(await scrape()).keys()].join('\n');
    expect(names).toContain('method="GET",route="none",status="404"');
    expect(names).not.toContain('nowhere');
    for (const secret of [shop.slug, shop.token, '4915112345678']) {
      expect(names).not.toContain(secret);
    }
  });

  test('due work is shown until it is done, then its outcome', async () => {
    const receiver = await startReceiver();
    await setWebhook(app.services, shop.id, { url: receiver.url });
    await shop.call('POST', '/sources', { name: 'Fair' });
    const store = await testStore(app, shop);
    const order = fixture('woocommerce-order.json');
    await post(app, store, order, wooHeaders('order.created', order));
    const before = await scrape();
    expect(before.get('parley_queue_due{queue="deliveries"}')).toBe(1);
    expect(before.get('parley_queue_due{queue="store_events"}')).toBe(1);
    expect(before.get('parley_queue_due{queue="bot_answers"}')).toBe(0);
    expect(before.get('parley_queue_oldest_due_seconds{queue="deliveries"}')).toBeGreaterThan(0);

    const indexed = 'parley_worker_last_success_timestamp_seconds{worker="index search texts"}';
    const stopWorkers = startWorkers(app.services);
    const after = await eventually(async () => {
      const seen = await scrape();
      const isDone =
        seen.get('parley_store_events_total{outcome="done"}') === 1 &&
        seen.get('parley_queue_due{queue="deliveries"}') === 0 &&
        seen.has(indexed);
      return isDone ? seen : undefined;
    });
    await stopWorkers();
    await receiver.close();
    const attempts = 'parley_delivery_attempt_duration_seconds_count{outcome="delivered"}';
    expect(after.get(attempts)).toBeGreaterThan(0);
    expect(after.get('parley_queue_oldest_due_seconds{queue="deliveries"}')).toBe(0);
    expect(after.get(indexed)).toBeGreaterThan(1.7e9);
  });

  test('posts of a paused store are not due', async () => {
    const store = await testStore(app, await app.tenant({ number: false }));
    await post(app, store, '{}', wooHeaders('order.created', '{}'));
    const due = 'parley_queue_due{queue="store_events"}';
    const before = (await scrape()).get(due)!;
    await setPaused(app.db, store, { isPaused: true, reason: null });
    expect((await scrape()).get(due)).toBe(before - 1);
  });

  test('deliveries of a disabled webhook are not due, but the webhook is shown', async () => {
    const { id: tenantId, call } = await app.tenant({ number: false });
    await setWebhook(app.services, tenantId, { url: 'http://127.0.0.1:9/' });
    await call('POST', '/sources', { name: 'Fair' });
    const due = 'parley_queue_due{queue="deliveries"}';
    const before = await scrape();
    expect(before.get(due)).toBeGreaterThan(0);
    await app.db.query(sql`
      update webhooks set off_since = now(), off_reason = 'It failed too long.'
      where tenant_id = ${tenantId}`);
    const after = await scrape();
    expect(after.get(due)).toBe(before.get(due)! - 1);
    const off = 'parley_troubled{what="webhooks"}';
    expect(after.get(off)).toBe(before.get(off)! + 1);
  });

  test('webhooks that fail, templates that are old and daily quotas that are nearly used up are counted', async () => {
    const tenant = await app.tenant({ plan: 'starter' });
    await setWebhook(app.services, tenant.id, { url: 'http://127.0.0.1:9/' });
    const text = { phone_number: '+4915112345678', type: 'text', message: 'Hi' };
    await tenant.call('POST', '/messages/send', text);
    const counts = async () => {
      const seen = await scrape();
      return ['failing_webhooks', 'stale_templates', 'day_quotas'].map((what) =>
        seen.get(`parley_troubled{what="${what}"}`),
      );
    };
    const [webhooks, templates, quotas] = await counts();
    await app.db.query(
      sql`update webhooks set failing_since = now() where tenant_id = ${tenant.id}`,
    );
    expect(await counts()).toEqual([webhooks! + 1, templates, quotas]);
    await app.db.query(sql`
      insert into template_syncs (tenant_id, due_at, synced_at)
      values (${tenant.id}, now(), now() - interval '49 hours')
      on conflict (tenant_id) do update set synced_at = excluded.synced_at`);
    expect(await counts()).toEqual([webhooks! + 1, templates! + 1, quotas]);
    await app.db.query(sql`
      update token_days set messages = 900 where tenant_id = ${tenant.id} and day_limit = 1000`);
    expect(await counts()).toEqual([webhooks! + 1, templates! + 1, quotas! + 1]);
  });
});

describe('health', () => {
  test('is ok while the database responds', async () => {
    const answer = await fetch(`${operator.url}/health`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  test('responds 400, not 500, to a request that cannot be parsed', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${operator.url}/health`, { method: 'POST', headers, body: '{' });
    expect(answer.status).toBe(400);
  });

  test('a part of the state that takes too long is left out, and the others are not', async () => {
    const kept = 'parley_kept_files_bytes';
    const isReadable = (part: string) => `parley_state_readable{part="${part}"}`;
    const before = await scrape();
    expect([before.has(kept), before.get(isReadable('kept_files'))]).toEqual([true, 1]);
    const holder = await holdLocks(app, 'lock table kept_file_totals');
    const seen = await scrape();
    await holder.query('rollback');
    expect([seen.has(kept), seen.get(isReadable('kept_files'))]).toEqual([false, 0]);
    const ours = [...before.keys()].filter((name) => name.startsWith('parley_'));
    expect(ours.filter((name) => !seen.has(name))).toEqual([kept]);
  });

  test('is 503 while the database does not respond, and metrics show it', async () => {
    const db = openDatabase({ host: '/nowhere' }, { onError: () => {} });
    const services = { ...app.services, db, metrics: createMetrics() };
    const lonely = await listenForOperator(services, anyPort);
    const answer = await fetch(`${lonely.url}/health`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'the database does not respond' },
    ]);
    const seen = await scrape(lonely.url);
    expect(seen.get('parley_database_up')).toBe(0);
    expect([...seen.keys()].filter((name) => name.startsWith('parley_queue'))).toEqual([]);
    await lonely.close();
    await db.close();
  });
});

describe('a page that the operator visits', () => {
  /** Sends a request as a browser would to a name that points at our address, and returns the status. */
  const ask = (url: string, path: string, host?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const headers = host === undefined ? {} : { host };
      request({ hostname, port, path, headers, setHost: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test('cannot read anything through a name that points at our address', async () => {
    for (const host of [
      'evil.example',
      'evil.example:9464',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '',
    ]) {
      for (const path of ['/metrics', '/health', '/nowhere']) {
        expect(await ask(operator.url, path, host), host).toBe(403);
      }
    }
  });

  test('is distinguished from a request to an address or name of ours', async () => {
    const named = await listenForOperator(
      {
        ...app.services,
        config: { ...app.services.config, baseUrl: 'https://parley.example' },
        metrics: createMetrics(),
      },
      anyPort,
    );
    for (const host of [
      '127.0.0.1:9464',
      'localhost',
      '[::1]:9464',
      '10.1.2.3',
      'parley',
      'parley:9464',
      'PARLEY.example:9464',
      hostname(),
    ]) {
      expect(await ask(named.url, '/health', host), host).toBe(200);
    }
    await named.close();
  });
});

test('each of several processes takes a port of its own; a single process reports that the port is in use', async () => {
  const port = Number(new URL(operator.url).port);
  const second = (processes: number) => {
    const config = { ...app.services.config, processes };
    const services = { ...app.services, config, metrics: createMetrics() };
    return listenForOperator(services, { host: '127.0.0.1', port });
  };
  const neighbour = await second(200);
  expect(Number(new URL(neighbour.url).port)).toBeGreaterThan(port);
  await neighbour.close();
  await expect(second(1)).rejects.toThrow(
    `Cannot listen on 127.0.0.1 port ${port}: another program already listens there. Set PARLEY_METRICS_HOST`,
  );
});
