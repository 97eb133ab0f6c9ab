import { describe, expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import type { Db, Prepared } from '../platform/database.ts';
import { applyStatuses, completeMessages } from './queries.ts';
import { insertReceived } from './receive-queries.ts';

const app = testApp();

/** The nodes of the plan that a batched statement gets on the connections for batches. */
async function planOf(run: (db: Db) => Promise<unknown>): Promise<string> {
  let statement: Prepared | undefined;
  await run({
    async query(given) {
      statement = given as Prepared;
      return { rows: [], rowCount: 0 };
    },
  });
  const { text, values } = statement!;
  // The plan that is kept for any number of rows, not the one for these.
  const generic = `explain ${text}`;
  const client = await (app.db.batched as unknown as BatchedPool).connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    const { rows } = await client.query(generic, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('reset plan_cache_mode');
    client.release();
  }
}

type BatchedPool = {
  connect(): Promise<{
    query(text: string, values?: unknown[]): Promise<{ rows: Record<string, string>[] }>;
    release(): void;
  }>;
};

const at = new Date();
const statements: [string, (db: Db) => Promise<unknown>][] = [
  [
    'completing sends',
    (db) =>
      completeMessages(
        db,
        [{ tenantId: 1, id: 1, status: 'sent', networkId: 'a', error: null, refunded: false }],
        0,
      ),
  ],
  [
    'applying statuses',
    (db) =>
      applyStatuses(db, [
        { tenantId: 1, id: null, networkId: 'a', status: 'sent', at, error: null },
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
          phone: '+1',
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
      const shop = await app.tenant();
      await app.db.pool.query(
        `insert into messages (tenant_id, number_id, direction, phone, kind, content, status,
                               network_id)
         select $1, $2, 'out', '+1415555' || n % 10000, 'text', '{"text":"Hello"}', 'sent',
                'wamid.' || n
         from generate_series(1, 50000) as n`,
        [shop.id, shop.number.id],
      );
      await app.db.pool.query('analyze messages');
    },
  ],
])('on %s table of messages', (_, prepare) => {
  test('batched statements find their rows by an index', async () => {
    await prepare();
    for (const [name, run] of statements) {
      const plan = await planOf(run);
      expect(plan, name).not.toMatch(/Seq Scan on messages/);
      if (name !== 'receiving messages') expect(plan, name).toMatch(/Index Scan using messages_/);
    }
  });
});
