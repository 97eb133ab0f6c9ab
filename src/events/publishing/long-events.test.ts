import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { insertReceived } from '../../messages/receiving/insert-received.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { createPublisher } from './publish-events.ts';

const app = testApp();

/** The database, which measures the values of the statements of its transactions as they are sent. */
function measured(db: Database) {
  const bytes: number[] = [];
  const query = (tx: Db): Db => ({
    query: (given) => {
      bytes.push(given.values.reduce<number>((sum, value) => sum + bytesOf(value), 0));
      return tx.query(given);
    },
  });
  const transaction: Database['transaction'] = (work) => db.transaction((tx) => work(query(tx)));
  return { db: { ...db, transaction }, query, bytes };
}

/** An array is sent as text, in which each quotation mark is escaped. */
function bytesOf(value: unknown): number {
  if (Buffer.isBuffer(value)) return value.length;
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

test('long messages are published in parts, in order and without escapes, and not before those of others', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const quotes = '"'.repeat(60_000);
  const { db, query, bytes } = measured(app.services.db);
  const textsOf = (tenant: typeof shop, texts: string[]) =>
    texts.map((text, index) => ({
      tenantId: tenant.id,
      numberId: tenant.number.id,
      networkId: `wamid.${index}`,
      identity: '+14155550123',
      profileName: undefined,
      at: new Date(),
      kind: 'text',
      content: { text },
    }));
  const long = textsOf(shop, Array(40).fill(quotes));
  await insertReceived(query(app.services.db), long);
  await insertReceived(query(app.services.db), textsOf(other, ['Hello']));
  // Each quotation mark of a content has one escape, that of its JSON.
  expect(Math.max(...bytes)).toBeLessThan(40 * 121_000);

  bytes.length = 0;
  const publish = createPublisher({ ...app.services, db });
  await publish(() => false);
  expect(Math.max(...bytes)).toBeLessThan(2.3 * 1024 * 1024);
  const read = async (tenant: typeof shop) => {
    const { rows } = await app.db.pool.query<{ sequence: number; bytes: number; position: number }>(
      `select (data::json ->> 'sequence')::int as sequence, octet_length(data) as bytes, position
       from events where tenant_id = $1 order by position`,
      [tenant.id],
    );
    return rows;
  };
  const [ofShop, [ofOther]] = [await read(shop), await read(other)];
  expect(ofShop.map(({ sequence }) => sequence)).toEqual(long.map((_, index) => index + 1));
  expect(Math.min(...ofShop.map((event) => event.bytes))).toBeGreaterThan(120_000);
  expect(ofOther!.position).toBeLessThan(ofShop.at(-1)!.position);
});
