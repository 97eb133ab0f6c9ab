import { describe, expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import { planOf } from '../../test/plan-of.ts';
import type { Db } from '../platform/database.ts';
import { applyStatuses, completeMessages } from './queries.ts';
import { insertReceived } from './receive-queries.ts';

const app = testApp();

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
      const plan = await planOf(app, run);
      expect(plan, name).not.toMatch(/Seq Scan on messages/);
      if (name !== 'receiving messages') expect(plan, name).toMatch(/Index Scan using messages_/);
    }
  });
});
