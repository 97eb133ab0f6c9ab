import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../test/program/app.ts';
import { eventTypes } from '../webhooks/schema.ts';
import { findLabelsByName } from './find-labels-by-name.ts';

const app = testApp();

describe.each([
  ['statuses', 'status'],
  ['sources', 'source'],
  ['groups', 'group'],
] as const)('%s', (kind, one) => {
  const ownFields = kind === 'statuses' ? { color: '#22C55E' } : {};

  test('are created, listed, read, changed and deleted', async () => {
    const shop = await app.tenant({ number: false });
    const fields = { name: 'New', ...ownFields, description: 'Just in' };
    const created = await shop.call('POST', `/${kind}`, fields);
    expect([created.status, created.body]).toEqual([
      200,
      {
        success: true,
        message: `The ${one} was created.`,
        data: {
          id: expect.any(Number),
          ...fields,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          updated_at: expect.any(String),
        },
      },
    ]);
    const first = created.body.data;
    const second = (await shop.call('POST', `/${kind}`, { name: 'Old', description: '' })).body
      .data;
    expect(second).toEqual({
      ...first,
      ...(kind === 'statuses' ? { color: null } : {}),
      id: expect.any(Number),
      name: 'Old',
      description: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const path = `/${kind}/${first.id}`;
    expect((await shop.call('GET', path)).body).toEqual({ success: true, data: first });
    expect((await shop.call('GET', `/${kind}`)).body).toEqual({
      success: true,
      data: [first, second],
    });
    const changed = await shop.call('PUT', path, { name: 'new', description: '' });
    expect(changed.body.data).toEqual({
      ...first,
      name: 'new',
      description: null,
      updated_at: expect.any(String),
    });
    expect((await shop.call('DELETE', path)).body).toEqual({
      success: true,
      message: `The ${one} was deleted and removed from its contacts.`,
      data: { id: first.id, deleted: true },
    });
    for (const method of ['GET', 'DELETE']) {
      expect((await shop.call(method, path)).status).toBe(404);
    }
    expect((await shop.call('PUT', path, { name: 'x' })).status).toBe(404);
    expect((await shop.call('GET', `/${kind}`)).body.data).toEqual([second]);
    expect((await shop.call('POST', `/${kind}`, { name: 'NEW' })).status).toBe(200);
  });

  test.each([
    [{}, 'name', 'is required'],
    [{ name: '' }, 'name', 'must not be empty'],
    [{ name: ' ' }, 'name', 'must have a visible character; it has only spaces or invisible ones'],
    [{ name: '\u200b\u2060\u200e\u00a0' }, 'name', expect.stringContaining('invisible ones')],
    [{ name: 5 }, 'name', 'must be a string'],
    [{ name: 'a'.repeat(256) }, 'name', 'must have at most 255 characters; it has 256'],
    [{ name: 'Ab\nc' }, 'name', 'must be on one line; it has a line break at character 3'],
    [{ name: 'Ab\tc' }, 'name', 'must not have control characters; it has U+0009 at character 3'],
    [{ name: 'A', description: 5 }, 'description', 'must be a string or null'],
    [{ name: 'A', description: 'a'.repeat(2001) }, 'description', expect.stringContaining('2,000')],
  ])('refuse %j', async (fields, field, message) => {
    const shop = await app.tenant({ number: false });
    const { status, body } = await shop.call('POST', `/${kind}`, fields);
    expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
  });

  test('have unique names in the tenant, ignoring case and surrounding spaces', async () => {
    const [shop, other] = [
      await app.tenant({ number: false }),
      await app.tenant({ number: false }),
    ];
    const taken = { name: ['is already taken'] };
    await shop.call('POST', `/${kind}`, { name: 'Жанна VIP' });
    const again = await shop.call('POST', `/${kind}`, { name: 'жАННА vip' });
    expect([again.status, again.body.errors]).toEqual([422, taken]);
    const spaced = await shop.call('POST', `/${kind}`, { name: ' \u2060Жанна VIP\u200f ' });
    expect([spaced.status, spaced.body.errors]).toEqual([422, taken]);
    const { id, name } = (await shop.call('POST', `/${kind}`, { name: ' B\u200b' })).body.data;
    expect(name).toBe('B');
    const renamed = await shop.call('PUT', `/${kind}/${id}`, { name: 'ЖАННА VIP' });
    expect([renamed.status, renamed.body.errors]).toEqual([422, taken]);
    expect((await other.call('POST', `/${kind}`, { name: 'Жанна VIP' })).status).toBe(200);
    const many = await Promise.all(
      Array.from({ length: 8 }, () => other.call('POST', `/${kind}`, { name: 'Rush' })),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  });

  test.each([
    ['Straße', 'STRASSE'],
    ['IŞIK', 'ışık'],
    ['İpek', 'ipek'],
    ['Οδυσσέας', 'ΟΔΥΣΣΕΑΣ'],
    ['Zo\u00eb', 'zoe\u0308'],
  ])('%j and %j are one name, as in a search of contacts', async (first, second) => {
    const shop = await app.tenant({ number: false });
    const taken = { name: ['is already taken'] };
    const { id } = (await shop.call('POST', `/${kind}`, { name: first })).body.data;
    const again = await shop.call('POST', `/${kind}`, { name: second });
    expect([again.status, again.body.errors]).toEqual([422, taken]);
    const renamed = await shop.call('PUT', `/${kind}/${id}`, { name: second });
    expect([renamed.status, renamed.body.data.name]).toEqual([200, second]);
    const found = await findLabelsByName(app.db, shop.id, {
      ...{ statuses: [], sources: [], groups: [] },
      [kind]: [first, second, `${second} 2`],
    });
    expect(Object.fromEntries(found[kind])).toEqual({ [first]: id, [second]: id });
  });

  test('are limited to 1,000 per tenant, because a list has no pages', async () => {
    const [shop, other] = [
      await app.tenant({ number: false }),
      await app.tenant({ number: false }),
    ];
    await app.db.query(sql`
      insert into ${raw(kind)} (tenant_id, name)
      select ${shop.id}::bigint, n::text from generate_series(1, 1000) as n`);
    const refused = await shop.call('POST', `/${kind}`, { name: 'A' });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { name: [`cannot be added: the tenant has 1,000 ${kind}, the maximum`] },
    ]);
    expect((await other.call('POST', `/${kind}`, { name: 'A' })).status).toBe(200);
    const { id } = (await shop.call('GET', `/${kind}`)).body.data[0];
    await shop.call('DELETE', `/${kind}/${id}`);
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, n) => shop.call('POST', `/${kind}`, { name: `A${n}` })),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  });

  test('of another tenant are a 404', async () => {
    const [shop, other] = [
      await app.tenant({ number: false }),
      await app.tenant({ number: false }),
    ];
    const { id } = (await other.call('POST', `/${kind}`, { name: 'A' })).body.data;
    for (const [method, body] of [['GET'], ['PUT', { name: 'B' }], ['DELETE']] as const) {
      expect((await shop.call(method, `/${kind}/${id}`, body)).status).toBe(404);
    }
    expect((await shop.call('GET', `/${kind}`)).body.data).toEqual([]);
    expect((await other.call('GET', `/${kind}/${id}`)).body.data.name).toBe('A');
  });

  test('need a token with the ability', async () => {
    const shop = await app.tenant({ number: false, abilities: ['contacts:read'] });
    for (const [method, path] of [
      ['POST', `/${kind}`],
      ['GET', `/${kind}`],
      ['GET', `/${kind}/1`],
      ['PUT', `/${kind}/1`],
      ['DELETE', `/${kind}/1`],
    ] as const) {
      const body = method === 'GET' ? undefined : { name: 'A' };
      expect((await shop.call(method, path, body)).status).toBe(403);
      expect((await shop.call(method, path, body, { authorization: '' })).status).toBe(401);
    }
  });

  test('record events, except groups', async () => {
    const shop = await app.tenant({ number: false });
    await app.db.query(sql`
      insert into webhooks (tenant_id, url, events, secret)
      values (${shop.id}, 'https://shop.test/hook', ${eventTypes}, '\\x00')`);
    const created = (await shop.call('POST', `/${kind}`, { name: 'A' })).body.data;
    await shop.call('POST', `/${kind}`, { name: 'a' });
    const changed = (await shop.call('PUT', `/${kind}/${created.id}`, { name: 'B' })).body.data;
    const same = await shop.call('PUT', `/${kind}/${created.id}`, { name: 'B', description: '' });
    expect(same.body.data).toEqual(changed);
    await shop.call('GET', `/${kind}`);
    await shop.call('DELETE', `/${kind}/${created.id}`);
    const { rows } = await app.db.query<{ body: string }>(sql`
      select body from deliveries where tenant_id = ${shop.id} order by id`);
    expect(rows.map(({ body }) => JSON.parse(body))).toEqual(
      kind === 'groups'
        ? []
        : [
            { event: `${one}.created`, data: created },
            { event: `${one}.updated`, data: changed },
            { event: `${one}.deleted`, data: changed },
          ],
    );
  });
});

test.each(['statuses', 'sources', 'groups'])(
  'of two concurrent changes of %s, the last one has the later updated_at',
  async (kind) => {
    const shop = await app.tenant({ number: false });
    const { id } = (await shop.call('POST', `/${kind}`, { name: 'A' })).body.data;
    // This looks like a change by a transaction whose clock is ahead, or which began later and committed first.
    const { rows } = await app.db.query<{ at: Date }>(sql`
      update ${raw(kind)} set updated_at = now() + interval '1 second'
      where tenant_id = ${shop.id} and id = ${id} returning updated_at as at`);
    const changed = await shop.call('PUT', `/${kind}/${id}`, { name: 'B' });
    expect(changed.body.data.updated_at > rows[0]!.at.toISOString()).toBe(true);
  },
);

test.each([['#22c55'], ['22c55ee'], ['#22c55g'], ['green'], [''], [5]])(
  'a status refuses the colour %j',
  async (color) => {
    const shop = await app.tenant({ number: false });
    const { status, body } = await shop.call('POST', '/statuses', { name: 'A', color });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['color']]);
  },
);
