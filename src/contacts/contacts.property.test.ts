import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, essence, type Fields, Model } from '../../test/features/contacts-model.ts';
import { type TestResponse, type TestTenant, testApp } from '../../test/program/app.ts';
import { unsetLabels } from '../labels/unset-labels.ts';
import { indexSearchTexts } from './searching/index-search-texts.ts';

const app = testApp();

/** Phones from one pool, so that tenants and contacts often have the same ones. */
const phones = [
  '+14155550101',
  '+14155550102',
  '+5531987654321',
  '+553187654321',
  '+525512345678',
  '+5215512345678',
];

const names = [
  'Ann',
  'ANNA',
  'Жанна',
  'Иван',
  '王伟',
  'Nguyễn',
  '100%',
  'a_b',
  'back\\slash',
  "O'Neil",
];
const terms = [
  '',
  'an',
  'ANNA',
  'жан',
  'ИВ',
  '王',
  '伟',
  'ễn',
  '%',
  '_',
  'a_',
  '\\',
  "'",
  '415',
  '5',
  'zz',
  'n ж',
];

const firstname = fc.constantFrom(...names);
const fields = {
  lastname: fc.option(fc.constantFrom('', ...names)),
  email: fc.option(fc.constantFrom('', 'ann@example.com', 'x_y@example.org')),
  city: fc.option(fc.constantFrom('Rome', '')),
  /** The indexes of labels in the order of their creation. An index after the last is another tenant's label. */
  status: fc.option(fc.nat(3)),
  groups: fc.array(fc.nat(3), { maxLength: 3 }),
};
const tenant = fc.nat(1);
const place = fc.nat(5);

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        op: fc.constant('create' as const),
        tenant,
        phone: fc.constantFrom(...phones),
        firstname,
        ...fields,
      },
      { requiredKeys: ['op', 'tenant', 'phone', 'firstname'] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        op: fc.constant('change' as const),
        tenant,
        place,
        phone: fc.constantFrom(...phones),
        firstname,
        ...fields,
      },
      { requiredKeys: ['op', 'tenant', 'place'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), tenant, place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('list' as const),
      tenant,
      search: fc.constantFrom(...terms),
      page: fc.integer({ min: 1, max: 3 }),
      per_page: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('create label' as const),
      tenant,
      kind: fc.constantFrom('statuses' as const, 'groups' as const),
      name: fc.constantFrom('A', 'a', 'Б', 'б', 'C'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('delete label' as const),
      tenant,
      kind: fc.constantFrom('statuses' as const, 'groups' as const),
      place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('background' as const), tenant }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;
/** Returns an id that does not belong to this tenant: one of the other tenant, if it has any. */
function anIdOf(others: { id: number }[]): number {
  return others[0]?.id ?? 999_999;
}

/** Converts indexes of labels to ids: of this tenant, or otherwise of the other. */
function fieldsOf(
  model: Model,
  other: Model,
  op: Extract<Operation, { op: 'create' | 'change' }>,
): Fields {
  const { firstname, phone, lastname, email, city, status, groups } = op;
  const idAt = (kind: 'statuses' | 'groups', at: number) =>
    model.labels[kind][at]?.id ?? anIdOf(other.labels[kind]);
  return JSON.parse(
    JSON.stringify({
      ...{ firstname, phone, lastname, email, city },
      status_id:
        status === undefined ? undefined : status === null ? null : idAt('statuses', status),
      group_ids: groups?.map((at) => idAt('groups', at)),
    }),
  );
}

/** Created first, so that most later operations have labels to assign. */
const firstLabels: Operation[] = [0, 1].flatMap((tenant) =>
  (['statuses', 'groups'] as const).flatMap((kind) =>
    (['A', 'Б', 'C'] as const).map((name) => ({ op: 'create label' as const, tenant, kind, name })),
  ),
);

async function perform(op: Operation, shop: TestTenant, model: Model, other: Model): Promise<void> {
  switch (op.op) {
    case 'create': {
      const given = fieldsOf(model, other, op);
      const response = await shop.call('POST', '/contacts', given);
      if (refused(response, model.faults(given))) return;
      const absent = { lastname: null, email: null, city: null, status_id: null, group_ids: [] };
      const contact = changed({ ...absent, id: response.body.data.id } as never, given);
      expect(essence(response.body.data)).toEqual(contact);
      model.contacts.push(contact);
      return;
    }
    case 'change': {
      const contact = model.contacts[op.place];
      const given = fieldsOf(model, other, op);
      const response = await shop.call(
        'PUT',
        `/contacts/${contact?.id ?? anIdOf(other.contacts)}`,
        given,
      );
      const faults = model.faults(given, contact);
      if (!contact && faults.length === 0) return void expect(response.status).toBe(404);
      if (refused(response, faults)) return;
      model.contacts[op.place] = changed(contact!, given);
      expect(essence(response.body.data)).toEqual(model.contacts[op.place]);
      return;
    }
    case 'delete': {
      const contact = model.contacts[op.place];
      const response = await shop.call(
        'DELETE',
        `/contacts/${contact?.id ?? anIdOf(other.contacts)}`,
      );
      expect(response.status).toBe(contact ? 200 : 404);
      model.contacts = model.contacts.filter((each) => each !== contact);
      return;
    }
    case 'list': {
      const { search, page, per_page } = op;
      const query = `search=${encodeURIComponent(search)}&page=${page}&per_page=${per_page}`;
      const { body } = await shop.call('GET', `/contacts?${query}`);
      const found = model.found(search);
      const hasNext = page * per_page < found.length;
      expect(body.pagination).toEqual({
        ...{ page, per_page, total: found.length },
        total_pages: Math.ceil(found.length / per_page),
        next: hasNext ? expect.any(String) : null,
      });
      expect(body.data.map(essence)).toEqual(found.slice((page - 1) * per_page, page * per_page));
      return;
    }
    case 'create label': {
      const labels = model.labels[op.kind];
      const response = await shop.call('POST', `/${op.kind}`, { name: op.name });
      const taken = labels.some(({ name }) => name.toLowerCase() === op.name.toLowerCase());
      if (refused(response, taken ? ['name'] : [])) return;
      labels.push({ id: response.body.data.id, name: op.name });
      return;
    }
    case 'delete label': {
      const label = model.labels[op.kind][op.place];
      const response = await shop.call(
        'DELETE',
        `/${op.kind}/${label?.id ?? anIdOf(other.labels[op.kind])}`,
      );
      expect(response.status).toBe(label ? 200 : 404);
      if (!label) return;
      model.labels[op.kind] = model.labels[op.kind].filter((each) => each !== label);
      for (const contact of model.contacts) {
        if (op.kind === 'statuses' && contact.status_id === label.id) contact.status_id = null;
        if (op.kind === 'groups') {
          contact.group_ids = contact.group_ids.filter((id) => id !== label.id);
        }
      }
      return;
    }
    case 'background':
      await indexSearchTexts(app.db);
      await unsetLabels(app.services, { olderThanMs: 0 });
  }
}

function refused(response: TestResponse, faults: string[]): boolean {
  expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([
    faults.length > 0 ? 422 : 200,
    faults,
  ]);
  return faults.length > 0;
}

test('any sequence of operations of two tenants has the result of a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 60, size: 'max' }), async (operations) => {
      const shops = [await app.tenant({ number: false }), await app.tenant({ number: false })];
      const models = [new Model(), new Model()];
      const performEach = async (ops: Operation[]) => {
        for (const op of ops) {
          await perform(op, shops[op.tenant]!, models[op.tenant]!, models[1 - op.tenant]!);
        }
      };
      await performEach(firstLabels);
      await performEach(operations);
      for (const [index, shop] of shops.entries()) {
        const { body } = await shop.call('GET', '/contacts?per_page=100');
        expect(body.data.map(essence)).toEqual(models[index]!.contacts);
        expect(body.pagination.total).toBe(models[index]!.contacts.length);
      }
    }),
    { numRuns: 15 },
  );
}, 120_000);
