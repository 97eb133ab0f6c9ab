import { describe, expect, test } from 'vitest';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { unsetLabels } from '../labels/unset-labels.ts';

const app = testApp();

async function shopWithContacts(count: number) {
  const shop = await app.tenant();
  const status = (await shop.call('POST', '/statuses', { name: 'Lead' })).body.data.id;
  const group = (await shop.call('POST', '/groups', { name: 'Regulars' })).body.data.id;
  const ids: number[] = [];
  for (let each = 0; each < count; each++) ids.push(await create(shop, each));
  return { shop, status, group, ids };
}

async function create(shop: TestTenant, number: number): Promise<number> {
  const contact = { firstname: `Person ${number}`, phone: `+1415555${2000 + number}` };
  return (await shop.call('POST', '/contacts', contact)).body.data.id;
}

describe('contacts in the dashboard', () => {
  test('are assigned labels in bulk, and filtered by a label or by having none', async () => {
    const { shop, status, group, ids } = await shopWithContacts(5);
    const newest = ids.toReversed();
    const owner = await signIn(app, shop);
    const assigned = await owner.call('POST', '/contacts/assign', {
      ids: ids.slice(0, 3),
      status_id: status,
      add_group_id: group,
    });
    expect(assigned.body.data).toEqual({ contacts: 3 });
    const source = (await shop.call('POST', '/sources', { name: 'Fair' })).body.data.id;
    await owner.call('POST', '/contacts/assign', { ids: [ids[4]], source_id: source });
    const found = async (query: string) =>
      (await owner.call('GET', `/contacts/filtered?${query}`)).body.data.map(
        (each: { id: number }) => each.id,
      );
    expect(await found(`status_id=${status}`)).toEqual(newest.slice(2));
    expect(await found('status_id=0')).toEqual(newest.slice(0, 2));
    expect(await found(`group_id=${group}&search=person+2`)).toEqual([ids[2]]);
    expect(await found('group_id=0')).toEqual(newest.slice(0, 2));
    expect(await found('group_id=0&search=son&per_page=1&page=2')).toEqual([ids[3]]);
    expect(await found(`status_id=${status}&search=on%0A`)).toEqual([]);
    expect(await found(`source_id=${source}`)).toEqual([ids[4]]);
    expect(await found('source_id=0&per_page=2&page=2')).toEqual([ids[1], ids[0]]);

    // Labels that are deleted, and still to be taken off their contacts.
    await shop.call('DELETE', `/statuses/${status}`);
    await shop.call('DELETE', `/sources/${source}`);
    await shop.call('DELETE', `/groups/${group}`);
    expect(await found(`status_id=${status}`)).toEqual([]);
    expect(await found(`source_id=${source}`)).toEqual([]);
    expect(await found(`group_id=${group}`)).toEqual([]);
    expect(await found('group_id=0')).toEqual(newest);
    expect(await found('status_id=0&source_id=0')).toEqual(ids.slice(3, 4));
    await unsetLabels(app.services);
    expect(await found('group_id=0&status_id=0&source_id=0')).toEqual(newest);
  });

  test('that have the labels of an assignment already do not change', async () => {
    const { shop, status, group, ids } = await shopWithContacts(3);
    const owner = await signIn(app, shop);
    const assign = async (labels: object, of = ids) =>
      (await owner.call('POST', '/contacts/assign', { ids: of, ...labels })).body.data.contacts;
    const list = async () => (await shop.call('GET', '/contacts')).body.data;
    expect(await assign({ status_id: status }, [ids[0]!])).toBe(1);
    expect(await assign({ add_group_id: group }, [ids[1]!])).toBe(1);
    const before = await list();
    for (const none of [{ source_id: null }, { remove_group_id: group }]) {
      expect(await assign(none, [ids[0]!])).toBe(0);
    }
    expect(await list()).toEqual(before);
    const both = { status_id: status, add_group_id: group };
    expect(await assign(both)).toBe(3);
    const after = await list();
    expect(await assign(both)).toBe(0);
    expect(await list()).toEqual(after);
    expect(await assign({ status_id: null, remove_group_id: group })).toBe(3);
    expect(await list()).toMatchObject(ids.map((id) => ({ id, status_id: null, group_ids: [] })));
  });

  test('keep every group that several members add at the same time', async () => {
    const { shop, ids } = await shopWithContacts(1);
    const owner = await signIn(app, shop);
    const groups: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      groups.push((await shop.call('POST', '/groups', { name })).body.data.id);
    }
    await Promise.all(
      groups.map((id) => owner.call('POST', '/contacts/assign', { ids, add_group_id: id })),
    );
    const contact = async () => (await shop.call('GET', `/contacts/${ids[0]}`)).body.data;
    const before = await contact();
    expect(before.group_ids).toEqual(groups);
    await app.moveClock(5_000);
    await owner.call('POST', '/contacts/assign', { ids, remove_group_id: groups[0] });
    const after = await contact();
    expect(after.group_ids).toEqual(groups.slice(1));
    const laterMs = Date.parse(after.updated_at) - Date.parse(before.updated_at);
    expect(laterMs).toBeGreaterThanOrEqual(5_000);
  });

  test('and labels of another tenant are not found', async () => {
    const { ids, group } = await shopWithContacts(2);
    const other = await app.tenant();
    const stranger = await signIn(app, other);
    const mine = await create(other, 1);
    const foreignLabel = await stranger.call('POST', '/contacts/assign', {
      ids: [mine],
      add_group_id: group,
    });
    expect(foreignLabel.status).toBe(422);
    const foreignContacts = await stranger.call('POST', '/contacts/delete', { ids });
    expect(foreignContacts.body.data).toEqual({ contacts: 0 });
    expect((await stranger.call('GET', `/contacts/filtered?group_id=${group}`)).body.data).toEqual(
      [],
    );
    const assigned = await stranger.call('POST', '/contacts/assign', { ids, status_id: null });
    expect(assigned.body.data).toEqual({ contacts: 0 });
    for (const search of ['', 'person']) {
      const { body } = await stranger.call('GET', `/contacts/filtered?search=${search}`);
      expect(body).toMatchObject({ data: [{ id: mine }], pagination: { total: 1 } });
    }
  });

  test('are not searched with ids that cannot exist', async () => {
    const owner = await signIn(app, await app.tenant());
    for (const field of ['status_id', 'source_id', 'group_id']) {
      for (const id of ['9223372036854775808', '-1', '1.5']) {
        expect((await owner.call('GET', `/contacts/filtered?${field}=${id}`)).status).toBe(422);
      }
      const bulk = { filter: { [field]: 1e20 }, change: { delete: true } };
      expect((await owner.call('POST', '/contacts/bulk', bulk)).status).toBe(422);
    }
    expect((await owner.call('POST', '/contacts/delete', { ids: [1e20] })).status).toBe(422);
    for (const field of ['ids', 'status_id', 'source_id', 'add_group_id', 'remove_group_id']) {
      const wrong = { [field]: field === 'ids' ? [1e20] : 1e20 };
      const assigned = await owner.call('POST', '/contacts/assign', { ids: [1], ...wrong });
      expect([assigned.status, Object.keys(assigned.body.errors)]).toEqual([422, [field]]);
      if (field === 'ids') continue;
      const bulk = await owner.call('POST', '/contacts/bulk', { filter: {}, change: wrong });
      expect([bulk.status, bulk.body.errors]).toEqual([
        422,
        { change: ['must be {"delete": true}, or the ids of labels to assign'] },
      ]);
    }
  });

  test('are exported with the filter of the list', async () => {
    const { shop, status, group, ids } = await shopWithContacts(3);
    const owner = await signIn(app, shop);
    await owner.call('POST', '/contacts/assign', { ids: [ids[1]], status_id: status });
    await owner.call('POST', '/contacts/assign', { ids: [ids[2]], add_group_id: group });
    const idsOf = async (query: string) => {
      const { body } = await owner.call('GET', `/contacts/export?${query}`);
      const [, ...lines] = String(body).trimEnd().split(/\r?\n/);
      return lines.map((line) => Number.parseInt(line, 10));
    };
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf(`status_id=${status}`)).toEqual([ids[1]]);
    expect(await idsOf(`group_id=${group}`)).toEqual([ids[2]]);
    expect(await idsOf(`group_id=0&search=${encodeURIComponent('+14155552000')}`)).toEqual([
      ids[0],
    ]);
    expect((await owner.call('GET', '/contacts/export?group_id=x')).status).toBe(422);
  });

  test('are exported by owners only', async () => {
    const { shop } = await shopWithContacts(1);
    const staff = await signIn(app, shop, 'staff');
    expect((await staff.call('GET', '/contacts/export')).status).toBe(403);
    const owner = await signIn(app, shop);
    const file = await owner.call('GET', '/contacts/export');
    expect(file.headers['content-disposition']).toContain('attachment');
    expect(file.body).toContain('+14155552000');
  });
});
