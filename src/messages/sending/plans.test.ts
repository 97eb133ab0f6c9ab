import { describe, expect, test } from 'vitest';
import { onEveryConnection } from '../../../test/database/every-connection.ts';
import { planOf } from '../../../test/database/plan-of.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import type { Db } from '../../platform/database/database.ts';
import { applyStatuses } from '../receiving/apply-statuses.ts';
import { insertReceived } from '../receiving/insert-received.ts';

const app = testApp();

/**
 * Returns how many pages of `messages` and its indexes have been read so far. Connections flush their
 * statistics late, so each is made to flush first.
 */
async function pagesOfMessages(): Promise<number> {
  for (const pool of [app.db.pool, app.db.batched, app.db.fair]) {
    await onEveryConnection(pool, (client) => client.query('select pg_stat_force_next_flush()'));
  }
  const { rows } = await app.db.pool.query<{ pages: number }>(`
    select heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read as pages
    from pg_statio_user_tables where relname = 'messages'`);
  return Number(rows[0]!.pages);
}

/** Without their conversations: inserts through `stored_messages` would take seconds. */
async function addMessages(shop: TestTenant, count: number): Promise<void> {
  await app.db.pool.query(
    `with made as (
       insert into messages (tenant_id, number_id, direction, person, kind, content)
       select $1, $2, 'out', '+1415555' || n % 10000, 'text', '{"text":"Hello"}'
       from generate_series(1, $3::int) as n
       returning *
     )
     insert into message_states (tenant_id, message_id, created_at, status, network_id)
     select tenant_id, id, created_at, 'sent', 'wamid.' || id from made`,
    [shop.id, shop.number.id, count],
  );
}

test.each([
  ['a send', 1],
  ['sends at once', 8],
])('%s planned on an empty table read no more pages of a large one', async (_, count) => {
  const shop = await app.tenant();
  // Work for a callback would delay the flush of the statistics of the send.
  await misbehave(app, shop, { callbacks: false });
  const send = async () => {
    const before = await pagesOfMessages();
    const text = { type: 'text', message: 'Hello', phone_number: '+14155550123' };
    const sent = Array.from({ length: count }, () => shop.call('POST', '/messages/send', text));
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
    return (await pagesOfMessages()) - before;
  };
  // The first two sends are planned and measured while the table has no other rows of the tenant.
  await send();
  const onEmpty = await send();
  expect(onEmpty).toBeGreaterThan(0);
  await addMessages(shop, 20_000);
  // An index is a page or two deeper now. All index entries of the tenant fill more than a hundred pages.
  expect(await send()).toBeLessThan(onEmpty + 50 * count);
});

const at = new Date();
const statements: [string, (db: Db) => Promise<unknown>][] = [
  [
    'applying statuses',
    (db) =>
      applyStatuses(db, [
        { tenantId: 1, id: null, networkId: 'a', status: 'sent', at, error: null, pricing: null },
      ]),
  ],
  [
    'receiving messages',
    (db) =>
      insertReceived(db, [
        {
          tenantId: 1,
          numberId: 1,
          networkId: 'a',
          identity: '+1',
          profileName: undefined,
          at,
          kind: 'text',
          content: { text: '' },
        },
      ]),
  ],
];

describe.each([
  // Analysed while empty, a table looks cheaper to scan than any index.
  ['an empty', () => app.db.pool.query('analyze messages')],
  [
    'a grown',
    async () => {
      await addMessages(await app.tenant(), 10_000);
      await app.db.pool.query('analyze messages');
    },
  ],
])('on %s table of messages', (_, prepare) => {
  test('batched statements find their rows by an index', async () => {
    await prepare();
    for (const [name, run] of statements) {
      const plan = await planOf(app, run);
      expect(plan, name).not.toMatch(/Seq Scan on messages/);
      if (name !== 'receiving messages') expect(plan, name).toMatch(/Index Scan using messages_/);
    }
  });
});
