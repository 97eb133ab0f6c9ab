import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { addAliases } from '../identities/aliases.ts';
import { erasePeople } from './erase-people.ts';
import { findIdentities, lockErasures, queuedErasures } from './erasures.ts';

const app = testApp();
const [phone, userId] = ['+14155550101', 'user:US.77120101'];

const queue = (shop: TestTenant, person: string) =>
  app.db.query(sql`
    with person as (select ${shop.id}::bigint as tenant_id, ${person} as person),
    ${queuedErasures(sql`person`)}
    select`);

async function isQueued(shop: TestTenant) {
  const { rows } = await app.db.query(sql`select from erasures where tenant_id = ${shop.id}`);
  return rows.length > 0;
}

async function addAlias(shop: TestTenant, identity: string, person: string) {
  await app.db.query(sql`
    insert into conversation_aliases (tenant_id, identity, person)
    values (${shop.id}, ${identity}, ${person})`);
}

test('the erasure of a person whose messages are deleted again waits for later events too', async () => {
  const shop = await app.tenant();
  await queue(shop, phone);
  await app.db.query(sql`
    insert into event_batches (tenant_id, event, data) values (${shop.id}, 'contact.updated', '[]')`);
  await queue(shop, phone);
  await erasePeople(app.db, 10);
  expect(await isQueued(shop)).toBe(true);
  await app.db.query(sql`delete from event_batches where tenant_id = ${shop.id}`);
  await app.db.query(sql`update erasures set due_at = now() where tenant_id = ${shop.id}`);
  await erasePeople(app.db, 10);
  expect(await isQueued(shop)).toBe(false);
});

test('an erasure that has waited for days is looked at again within an hour', async () => {
  const shop = await app.tenant();
  await queue(shop, phone);
  await app.db.query(sql`
    update erasures set erased_at = now() - interval '10 days' where tenant_id = ${shop.id}`);
  await app.db.query(sql`
    insert into event_batches (tenant_id, event, data, created_at)
    values (${shop.id}, 'contact.updated', '[]', now() - interval '11 days')`);
  await erasePeople(app.db, 10);
  const { rows } = await app.db.query(sql`
    select due_at <= now() + interval '1 hour' as is_soon from erasures where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ is_soon: true }]);
});

test('an erasure still finds all identities of a person who has become one with another', async () => {
  const shop = await app.tenant();
  await addAlias(shop, userId, phone);
  await queue(shop, phone);
  const person = '+14155550102';
  const identities = await app.db.transaction(async (tx) => {
    await addAliases(tx, shop.id, { person, other: phone }, [phone]);
    return findIdentities(tx, await lockErasures(tx, shop.id, 10));
  });
  expect(identities.map(({ identity }) => identity)).toEqual(
    expect.arrayContaining([phone, userId]),
  );
});

test('an identity stays if its person gets a conversation by a merge at the same moment', async () => {
  const shop = await app.tenant();
  await addAlias(shop, userId, phone);
  await queue(shop, phone);
  const merge = await holdLocks(
    app,
    `insert into conversations (tenant_id, person, number_id) values ($1, $2, $3)`,
    [shop.id, phone, shop.number.id],
  );
  await merge.query(`select pg_advisory_xact_lock(hashtextextended('identities ' || $1, 0))`, [
    String(shop.id),
  ]);
  const erased = erasePeople(app.db, 10);
  await Promise.race([lockWaiters(app), erased]);
  await merge.query('commit');
  await erased;
  const { rows } = await app.db.query(sql`
    select identity from conversation_aliases where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ identity: userId }]);
});

test('erasures of a tenant whose people are being merged wait, and those of others do not', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  for (const each of [shop, other]) await queue(each, phone);
  const lock = `select pg_advisory_xact_lock(hashtextextended('identities ' || $1::bigint, 0))`;
  const merge = await holdLocks(app, lock, [shop.id]);
  await erasePeople(app.db, 10);
  expect([await isQueued(shop), await isQueued(other)]).toEqual([true, false]);
  await merge.query('commit');
  await erasePeople(app.db, 10);
  expect(await isQueued(shop)).toBe(false);
});
