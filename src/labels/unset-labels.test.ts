import sql, { raw, type Sql } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { holdLocks } from '../../test/database/locks.ts';
import { insertContacts } from '../../test/features/insert-contacts.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { startApiProcesses } from '../../test/program/service-processes.ts';
import { unassignLabel } from '../contacts/many/unassign-label.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { expandBatches } from '../webhooks/delivering/expand-batches.ts';
import { setWebhook } from '../webhooks/set-webhook.ts';
import type { LabelKind } from './label-kinds.ts';
import { unsetLabels } from './unset-labels.ts';

const app = testApp();
const kinds: LabelKind[] = ['statuses', 'sources', 'groups'];
const fieldOf = { statuses: 'status_id', sources: 'source_id', groups: 'group_ids' } as const;

/** Creates a tenant with a webhook for all events, and a label that `count` contacts have. */
async function shopWithLabel(kind: LabelKind, count: number) {
  const shop = await app.tenant({ number: false });
  await setWebhook(app.services, shop.id, { url: 'https://hooks.invalid/' });
  const label: number = (await shop.call('POST', `/${kind}`, { name: 'Old' })).body.data.id;
  const field = kind === 'groups' ? '' : `, ${fieldOf[kind]}`;
  await insertContacts(
    app.db,
    `tenant_id, firstname, phone${field}`,
    sql`
      select ${shop.id}::bigint, 'Ann', '+1415' || (5550000 + n)
             ${raw(field && `, ${label}::bigint`)}
      from generate_series(1, ${count}::int) as n`,
  );
  if (kind === 'groups') {
    await app.db.query(sql`
      insert into contact_groups (tenant_id, contact_id, group_id)
      select tenant_id, id, ${label} from contacts where tenant_id = ${shop.id}`);
  }
  return { shop, label };
}

type Event = { event: string; data: Record<string, unknown> & { id: number } };

async function events(shop: TestTenant, type: string): Promise<Event[]> {
  while ((await expandBatches(app.db.batched, 100)) === 100);
  const { rows } = await app.db.query<{ body: Event }>(sql`
    select body::json as body from deliveries
    where tenant_id = ${shop.id} and event = ${type} order by id`);
  return rows.map(({ body }) => body);
}

async function count(rowsOf: Sql): Promise<number> {
  const { rows } = await app.db.query<{ count: number }>(sql`select count(*) from ${rowsOf}`);
  return rows[0]!.count;
}

/** Counts the rows of contacts, or of their groups, that still have the label. */
function holders(kind: LabelKind, label: number): Promise<number> {
  const [table, column] =
    kind === 'groups' ? ['contact_groups', 'group_id'] : ['contacts', fieldOf[kind]];
  return count(sql`${raw(table)} where ${raw(column)} = ${label}`);
}

/** Creates an `isStopping` that returns true after this many calls. */
function stopAfter(steps: number) {
  let calls = 0;
  return () => calls++ >= steps;
}

test('a deleted label immediately disappears from its contacts for every reader', async () => {
  const shop = await app.tenant({ number: false });
  const label = async (kind: string) =>
    (await shop.call('POST', `/${kind}`, { name: 'A' })).body.data.id;
  const labels = {
    status_id: await label('statuses'),
    source_id: await label('sources'),
    group_ids: [await label('groups')],
  };
  const contact = { firstname: 'Ann', phone: '+14155550123', ...labels };
  const { id } = (await shop.call('POST', '/contacts', contact)).body.data;
  await shop.call('DELETE', `/statuses/${labels.status_id}`);
  await shop.call('DELETE', `/sources/${labels.source_id}`);
  await shop.call('DELETE', `/groups/${labels.group_ids[0]}`);
  const { body } = await shop.call('GET', `/contacts/${id}`);
  expect(body.data).toMatchObject({ status_id: null, source_id: null, group_ids: [] });
  const again = await shop.call('PUT', `/contacts/${id}`, labels);
  expect(Object.keys(again.body.errors)).toEqual(['status_id', 'source_id', 'group_ids']);
  expect((await shop.call('POST', '/statuses', { name: 'A' })).status).toBe(200);
});

test('contacts that are assigned a label during its deletion end up without it, and without an error', async () => {
  const shop = await app.tenant({ number: false });
  const contacts: number[] = [];
  for (let n = 10; n < 20; n++) {
    const contact = { firstname: 'Ann', phone: `+141555502${n}` };
    contacts.push((await shop.call('POST', '/contacts', contact)).body.data.id);
  }
  const status_id = (await shop.call('POST', '/statuses', { name: 'A' })).body.data.id;
  const group = (await shop.call('POST', '/groups', { name: 'A' })).body.data.id;
  const [responses] = await Promise.all([
    Promise.all(
      contacts.map((id) => shop.call('PUT', `/contacts/${id}`, { status_id, group_ids: [group] })),
    ),
    shop.call('DELETE', `/statuses/${status_id}`),
    shop.call('DELETE', `/groups/${group}`),
    unsetLabels(app.services, { olderThanMs: 0 }),
  ]);
  for (const { status } of responses) expect([200, 422]).toContain(status);
  for (const contact of (await shop.call('GET', '/contacts')).body.data) {
    expect(contact).toMatchObject({ status_id: null, group_ids: [] });
  }
});

test.each(kinds)(
  'each contact of a deleted label of %s gets a later updated_at and one contact.updated, even if one process stops and another continues',
  async (kind) => {
    const { shop, label } = await shopWithLabel(kind, 1_100);
    const before = (await shop.call('GET', '/contacts')).body.data[0];
    expect([before[fieldOf[kind]]].flat()).toEqual([label]);
    await shop.call('DELETE', `/${kind}/${label}`);
    if (kind !== 'groups') {
      expect(await events(shop, `${fieldOf[kind].replace('_id', '')}.deleted`)).toHaveLength(1);
    }

    await unsetLabels(app.services, { olderThanMs: 0, isStopping: stopAfter(2) });
    expect(await holders(kind, label)).toBe(100);
    await unsetLabels(app.services, { olderThanMs: 0 });
    expect(await holders(kind, label)).toBe(0);
    expect(await count(sql`${raw(kind)} where id = ${label}`)).toBe(0);

    const updates = await events(shop, 'contact.updated');
    expect(updates).toHaveLength(1_100);
    expect(new Set(updates.map(({ data }) => data.id)).size).toBe(1_100);
    const after = (await shop.call('GET', `/contacts/${before.id}`)).body.data;
    expect(after).toEqual({
      ...before,
      [fieldOf[kind]]: kind === 'groups' ? [] : null,
      updated_at: expect.any(String),
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(updates.find(({ data }) => data.id === before.id)!.data).toEqual(after);
  },
);

test('a contact that was changed after its label was deleted keeps the change', async () => {
  const { shop, label } = await shopWithLabel('statuses', 3);
  const [ann, bob, eve] = (await shop.call('GET', '/contacts')).body.data;
  await shop.call('DELETE', `/statuses/${label}`);
  const status_id = (await shop.call('POST', '/statuses', { name: 'Old' })).body.data.id;
  await shop.call('PUT', `/contacts/${ann.id}`, { status_id });
  await shop.call('PUT', `/contacts/${bob.id}`, { city: 'Rome' });
  await shop.call('DELETE', `/contacts/${eve.id}`);
  await unsetLabels(app.services, { olderThanMs: 0 });

  const contacts = (await shop.call('GET', '/contacts')).body.data;
  expect(contacts).toMatchObject([
    { id: ann.id, status_id },
    { id: bob.id, status_id: null, city: 'Rome' },
  ]);
  const updates = await events(shop, 'contact.updated');
  // Only Bob still had the label: one event for the city, and one for the label.
  expect(updates.map(({ data }) => data.id)).toEqual([ann.id, bob.id, bob.id]);
  expect(updates.at(-1)!.data).toEqual(contacts[1]);
});

test('a contact that is locked does not block the others, and is updated later', async () => {
  const { shop, label } = await shopWithLabel('groups', 700);
  const { id } = (await shop.call('GET', '/contacts')).body.data[3];
  const lock = 'select from contacts where tenant_id = $1 and id = $2 for update';
  const holder = await holdLocks(app, lock, [shop.id, id]);
  await shop.call('DELETE', `/groups/${label}`);
  await unsetLabels(app.services, { olderThanMs: 0 });
  expect(await holders('groups', label)).toBe(1);
  await holder.query('commit');
  await unsetLabels(app.services, { olderThanMs: 0 });
  expect(await holders('groups', label)).toBe(0);
  expect(await events(shop, 'contact.updated')).toHaveLength(700);
});

test('tenants alternate, and a tenant that is deleted in the meantime does not stop the others', async () => {
  const large = await shopWithLabel('statuses', 1_200);
  const gone = await shopWithLabel('sources', 600);
  const small = await shopWithLabel('groups', 20);
  for (const [{ shop, label }, kind] of [
    [large, 'statuses'],
    [gone, 'sources'],
    [small, 'groups'],
  ] as const) {
    await shop.call('DELETE', `/${kind}/${label}`);
  }
  await unsetLabels(app.services, { olderThanMs: 0, isStopping: stopAfter(3) });
  expect(await holders('statuses', large.label)).toBe(700);
  expect(await holders('sources', gone.label)).toBe(100);
  expect(await holders('groups', small.label)).toBe(0);

  await Promise.all([
    unsetLabels(app.services, { olderThanMs: 0 }),
    unsetLabels(app.services, { olderThanMs: 0 }),
    deleteTenant(app.db, gone.shop.id),
  ]);
  await unsetLabels(app.services, { olderThanMs: 0 });
  expect(await holders('statuses', large.label)).toBe(0);
  expect(await events(large.shop, 'contact.updated')).toHaveLength(1_200);
  expect(await count(sql`contacts where tenant_id = ${gone.shop.id}`)).toBe(0);
});

test('no event is lost or repeated when the service is killed in the middle', async () => {
  const { shop, label } = await shopWithLabel('statuses', 3_000);
  // However fast the service is, this contact is left when it is killed.
  const last = 'select from contacts where tenant_id = $1 order by id desc limit 1 for update';
  const holder = await holdLocks(app, last, [shop.id]);
  const [service] = await startApiProcesses(app, 1);
  await shop.call('DELETE', `/statuses/${label}`);
  await eventually(async () => (await holders('statuses', label)) < 3_000);
  await service!.kill();
  expect(await holders('statuses', label)).toBeGreaterThan(0);
  await holder.query('commit');

  // PostgreSQL may still run the last statement of the killed process, whose contacts are passed over.
  await eventually(async () => {
    await unsetLabels(app.services, { olderThanMs: 0 });
    return (await holders('statuses', label)) === 0;
  });
  const updates = await events(shop, 'contact.updated');
  expect(updates).toHaveLength(3_000);
  expect(new Set(updates.map(({ data }) => data.id)).size).toBe(3_000);
});

test.each(kinds)('a batch reads only the contacts of the deleted label of %s', async (kind) => {
  const { shop, label } = await shopWithLabel(kind, 2_000);
  // According to the statistics, every contact has the label, but most have already lost it.
  await app.db.pool.query('analyze contacts, contact_groups');
  await shop.call('DELETE', `/${kind}/${label}`);
  await unsetLabels(app.services, { olderThanMs: 0, isStopping: stopAfter(3) });
  const plans: string[] = [];
  await app.db.transaction(async (tx) => {
    const explained = async (statement: Sql) => {
      if (plans.length === 0) {
        const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
          sql`explain (analyze, costs off, timing off, summary off) ${statement}`,
        );
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return tx.query(statement);
    };
    await unassignLabel(
      { query: explained as typeof tx.query },
      { tenantId: shop.id, kind, id: label },
      { afterId: 0, limit: 100 },
    );
  });
  const index =
    kind === 'groups' ? 'contact_groups_group' : `contacts_${fieldOf[kind].replace('_id', '')}`;
  expect(plans[0]).toMatch(new RegExp(`Index Only Scan using ${index} `));
  expect(plans[0]).not.toMatch(/Filter|Sort|Seq Scan/);
});
