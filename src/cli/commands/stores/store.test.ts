import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { fixture, sign, wooHeaders } from '../../../../test/features/stores.ts';
import { call, testApp } from '../../../../test/program/app.ts';
import { runParley } from '../../../../test/program/bin-parley.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { connectTestNumber } from '../../../../test/servers/control.ts';
import { listStoreEvents } from '../../../stores/activity/event-queries.ts';
import { syncTemplates } from '../../../templates/syncing/sync-templates.ts';
import { startWorkers } from '../../../workers.ts';
import { storeCommands } from './store.ts';

const app = testApp();
const { run, parley } = testCommand(app, storeCommands, () => ({
  PARLEY_BASE_URL: 'https://parley.example',
}));
let folder: string;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  stopWorkers = startWorkers(app.services);
});
afterAll(async () => {
  await stopWorkers();
  await rm(folder, { recursive: true });
});

async function file(content: string): Promise<string> {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, content);
  return path;
}

function create(slug: string, ...options: string[]) {
  return parley('create', slug, '--platform', 'woocommerce', '--name', 'Tea', ...options);
}

function pathOf({ url }: { url: string }): string {
  expect(url).toMatch(/^https:\/\/parley\.example\/api\/webhooks\/[0-9A-Za-z]{32}$/);
  return new URL(url).pathname;
}

test('a paused store keeps its posts until it is resumed, and the other stores go on', async () => {
  const shop = await app.tenant({ number: false });
  const [paused, other] = [await create(shop.slug), await create(shop.slug)];
  const post = async (made: { url: string; secret: string }) => {
    const order = fixture('woocommerce-order.json');
    const headers = wooHeaders('order.created', order, made.secret);
    expect((await call(app, 'POST', pathOf(made), order, headers)).status).toBe(200);
  };
  const states = async ({ id }: { id: number }) =>
    (await listStoreEvents(app.db, shop.id, id, { limit: 10 })).map(({ state }) => state);
  const id = String(paused.id);
  const reason = 'It posts each order a thousand times.';
  expect(await run('pause', shop.slug, id, '--reason', reason)).toContain('stored and wait');
  await post(paused);
  await post(other);
  await eventually(async () => (await states(other))[0] === 'done');
  expect(await states(paused)).toEqual(['waiting']);
  expect((await parley('list', shop.slug)).stores).toMatchObject([
    { id: paused.id, paused_since: expect.any(String), pause_reason: reason },
    { id: other.id, paused_since: null, pause_reason: null },
  ]);
  expect(await run('list', shop.slug)).toMatch(/ \(paused\)$/m);
  await expect(run('pause', shop.slug, id, '--reason', ' ')).rejects.toMatchObject({
    errors: { reason: [expect.stringContaining('visible')] },
  });
  const { paused_since: since } = await parley('pause', shop.slug, id);
  expect(await parley('pause', shop.slug, id)).toMatchObject({
    paused_since: since,
    pause_reason: null,
  });
  expect(await parley('resume', shop.slug, id)).toMatchObject({
    paused_since: null,
    pause_reason: null,
  });
  await eventually(async () => (await states(paused))[0] === 'done');
});

test('store set-keys gives a store a new secret or authentication', async () => {
  const shop = await app.tenant({ number: false });
  const made = await create(shop.slug);
  const post = (headers: Record<string, string>) =>
    call(app, 'POST', pathOf(made), '{}', headers).then(({ status }) => status);
  const key = await file('Shopify has it');
  const changed = await parley('set-keys', shop.slug, String(made.id), '--secret-file', key);
  expect(changed).toEqual({ id: made.id, url: made.url, secret: 'Shopify has it' });
  expect(await post(wooHeaders('order.created', '{}', 'Shopify has it'))).toBe(200);
  expect(await post(wooHeaders('order.created', '{}', made.secret))).toBe(200);

  const piped = ['store', 'set-keys', shop.slug, String(made.id), '--secret-file', '-', '--json'];
  const running = runParley(piped);
  running.child.stdin!.end('from a program\n');
  expect(JSON.parse((await running).stdout).secret).toBe('from a program');

  const fresh = await parley('set-keys', shop.slug, String(made.id));
  expect(fresh.secret).toMatch(/^[0-9A-Za-z]{32,}$/);
  const basic = ['--no-secret', '--basic-file', await file('tea:pot')];
  expect((await parley('set-keys', shop.slug, String(made.id), ...basic)).secret).toBeNull();
  expect(await post({ authorization: `Basic ${Buffer.from('tea:pot').toString('base64')}` })).toBe(
    200,
  );
});

test('store set-keys changes the secret or the authentication, and keeps the other', async () => {
  const shop = await app.tenant({ number: false });
  const made = await create(shop.slug, '--header-file', await file('X-Key: open sesame'));
  const setKeys = (...options: string[]) =>
    parley('set-keys', shop.slug, String(made.id), ...options);
  const post = (secret: string, key = '') => {
    const headers = { ...wooHeaders('order.created', '{}', secret), 'x-key': key };
    return call(app, 'POST', pathOf(made), '{}', headers).then(({ status }) => status);
  };
  const { secret } = await setKeys();
  expect(await post(secret)).toBe(401);
  expect(await post(secret, 'open sesame')).toBe(200);
  expect((await setKeys('--header-file', await file('X-Key: closed'))).secret).toBeNull();
  expect(await post(secret, 'closed')).toBe(200);
  await expect(setKeys('--no-auth', '--basic-file', await file('tea:pot'))).rejects.toThrow(
    'Give --no-auth, --header-file or --basic-file.',
  );
  await setKeys('--no-auth');
  expect(await post(secret)).toBe(200);
  await expect(setKeys('--no-secret')).rejects.toThrow(/secret is required/);
});

test.each(['create', 'set-keys'])(
  'store %s accepts only one option about the secret',
  async (command) => {
    const shop = await app.tenant({ number: false });
    const made = await create(shop.slug);
    const both = ['--no-secret', '--secret-file', await file('the shop has it')];
    const about =
      command === 'create' ? ['--platform', 'custom', '--name', 'Tea'] : [String(made.id)];
    await expect(parley(command, shop.slug, ...about, ...both)).rejects.toThrow(/or --no-secret/);
  },
);

describe('store create', () => {
  test('says that Shopify has its own key, and shows no secret that it cannot use', async () => {
    const shop = await app.tenant({ number: false });
    const shopify = ['create', shop.slug, '--platform', 'shopify', '--name', 'Tea'];
    const text = await run(...shopify);
    expect(text).toMatch(/parley store set-keys \S+ \d+ --secret-file key\.txt/);
    expect(text).not.toMatch(/^Secret/m);
    const given = await run(...shopify, '--secret-file', await file('Shopify has it'));
    expect(given).not.toMatch(/set-keys/);
  });

  test('prints id, address and a secret of letters and digits that signs posts', async () => {
    const shop = await app.tenant({ number: false });
    const made = await create(shop.slug);
    expect(made).toMatchObject({ id: expect.any(Number), platform: 'woocommerce', name: 'Tea' });
    expect(made.secret).toMatch(/^[0-9A-Za-z]{32,}$/);
    const headers = wooHeaders('order.created', '{}', made.secret);
    expect((await call(app, 'POST', pathOf(made), '{}', headers)).status).toBe(200);
  });

  test('reads the secret, a header and basic authentication from files', async () => {
    const shop = await app.tenant({ number: false });
    const made = await create(
      shop.slug,
      ...['--secret-file', await file('the shop has it\n')],
      ...['--header-file', await file('X-Key: open: sesame\n')],
    );
    expect(made.secret).toBe('the shop has it');
    const signed = wooHeaders('order.created', '{}', made.secret);
    expect((await call(app, 'POST', pathOf(made), '{}', signed)).status).toBe(401);
    const right = { ...signed, 'x-key': 'open: sesame' };
    expect((await call(app, 'POST', pathOf(made), '{}', right)).status).toBe(200);

    const basic = await create(shop.slug, '--no-secret', '--basic-file', await file('tea:pot:1'));
    expect(basic.secret).toBeNull();
    const authorization = `Basic ${Buffer.from('tea:pot:1').toString('base64')}`;
    expect((await call(app, 'POST', pathOf(basic), '{}', { authorization })).status).toBe(200);
  });

  test('accepts a country in either case', async () => {
    const shop = await app.tenant({ number: false });
    expect(await create(shop.slug, '--country', 'de')).toMatchObject({ country: 'DE' });
  });

  test.each([
    [['--platform', 'magento'], /platform must be one of/],
    [['--no-secret'], /secret is required/],
    [['--country', 'Germany'], /country must be/],
    [['--country', 'UK'], /country must be/],
    [['--name', ''], /name must not be empty/],
    [['--name', 'Tea\nshop'], /name must be on one line/],
  ])('refuses %j', async (options, problem) => {
    const shop = await app.tenant({ number: false });
    await expect(create(shop.slug, ...options)).rejects.toThrow(problem);
    expect(await parley('list', shop.slug)).toEqual({ stores: [] });
  });
});

test('store test, events, preview and replay accept the printed id and the address', async () => {
  const shop = await app.tenant();
  const made = await create(shop.slug);
  const tested = await parley('test', shop.slug, String(made.id), '--topic', 'order.created');
  expect(tested).toMatchObject({
    status: 200,
    event: { topic: 'order.created', state: 'done', reason: null, sample: true },
  });
  const { events } = await parley('events', shop.slug, made.url.split('/').at(-1));
  expect(events).toEqual([tested.event]);
  expect(events[0]).toMatchObject({
    id: expect.any(Number),
    received_at: expect.stringMatching(/Z$/),
    processed_at: expect.stringMatching(/Z$/),
    next_try_at: null,
  });

  const [eventId] = [String(events[0].id)];
  const { preview } = await parley('preview', shop.slug, String(made.id), '--event', eventId);
  expect(preview).toMatchObject({ state: 'to_do', contact: { phone: '+14155550132' } });
  for (const search of ['+14155550132', String(events[0].resource_number)]) {
    const about = ['events', shop.slug, String(made.id), '--state', 'done', '--search', search];
    expect((await parley(...about)).events).toEqual(events);
  }
  const none = await parley('events', shop.slug, String(made.id), '--state', 'failed');
  expect(none.events).toEqual([]);
  const failed = await parley('replay', shop.slug, String(made.id), '--failed');
  expect(failed).toEqual({ replayed: 0, more: false });
  const replay = await parley('replay', shop.slug, String(made.id), eventId);
  const after = await parley('events', shop.slug, String(made.id), '--limit', '1');
  expect(after.events).toMatchObject([{ id: replay.event.id, replay_of: Number(eventId) }]);
  const { stores } = await parley('list', shop.slug);
  expect(stores).toMatchObject([{ id: made.id, received: 1, verified: 1, quiet_since: null }]);
  expect(JSON.stringify(stores)).not.toContain(made.secret);
});

test('store preview shows the resulting contact, and what changes', async () => {
  const shop = await app.tenant({ number: false });
  const { id, ...made } = await create(shop.slug);
  const previewed = () => run('preview', shop.slug, String(id), '--topic', 'order.created');
  expect(await previewed()).toContain(
    'Contact  Sample Buyer, +14155550132, sample.buyer@shop.example, San Francisco (created)\n',
  );
  const body = '{"id":1,"billing":{"first_name":"Ann","phone":"+14155550132","city":"Granger"}}';
  const headers = wooHeaders('order.created', body, made.secret);
  const known = { firstname: 'Boss', phone: '+14155550132', company: 'Boss Inc' };
  await shop.call('POST', '/contacts', known);
  await parley('map', shop.slug, String(id), 'order.created', '--contact', 'none');
  await call(app, 'POST', pathOf(made as { url: string }), body, headers);
  const { events } = await parley('events', shop.slug, String(id));
  const event = ['preview', shop.slug, String(id), '--event', String(events[0].id)] as const;
  for (const [mode, line] of [
    ['automatic', 'Boss, +14155550132, Boss Inc, Granger (filled: city)'],
    ['upsert', 'Ann, +14155550132, Boss Inc, Granger (updated: firstname, city)'],
  ]) {
    await parley('map', shop.slug, String(id), 'order.created', '--contact', mode!);
    expect(await run(...event)).toContain(`Contact  ${line}\n`);
  }
});

test('store preview shows a message that is not sent, and why', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const { id } = await create(shop.slug);
  const fields = ['id', 'status', 'date_created'].flatMap((path) => ['--field', path]);
  const map = ['map', shop.slug, String(id), 'order.updated', '--template', 'order_update'];
  await parley(...map, '--language', 'en', ...fields, '--only-if', 'status=shipped');
  const preview = ['preview', shop.slug, String(id), '--topic', 'order.updated'];
  expect((await parley(...preview)).preview).toMatchObject({
    state: 'to_do',
    contact: { outcome: 'created' },
    message: {
      shown: expect.anything(),
      problem: null,
      withheld: 'status is "completed". The message is sent only for: shipped.',
    },
  });
  expect(await run(...preview)).toMatch(/^Not sent {2}status is "completed"\./m);
});

test('store test reports the result of the sample in one sentence', async () => {
  const shop = await app.tenant();
  const { id } = await create(shop.slug);
  const text = await run('test', shop.slug, String(id), '--topic', 'product.created');
  expect(text).toMatch(/is nothing_to_do: Nothing is set to happen for product\.created\.\n$/);

  await run(
    'map',
    shop.slug,
    String(id),
    'order.created',
    '--template',
    'nonsense',
    '--language',
    'en',
  );
  await expect(run('test', shop.slug, String(id), '--topic', 'order.created')).rejects.toThrow(
    /^Event \d+ failed: .*nonsense/,
  );
});

test('store map sets and shows what happens', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug);
  const label = async (kind: string, name: string) =>
    (await shop.call('POST', `/${kind}`, { name })).body.data.id as number;
  const source = await label('sources', 'Web shop');
  const groups = [await label('groups', 'Buyers'), await label('groups', 'Friends')];
  const before = (await parley('map', shop.slug, String(id))).topics;
  expect(before['order.created']).toEqual({ contact: { mode: 'automatic' } });
  expect(before['product.updated']).toEqual({ contact: { mode: 'none' } });
  const { topics } = await parley(
    ...['map', shop.slug, String(id), 'order.created', '--groups', groups.join(',')],
    ...['--source', String(source)],
    ...['--template', 'hello', '--language', 'en', '--header-media', 'line_items.0.image.src'],
    ...['--field', 'billing.first_name,format=first_word,default=a, b', '--field', 'total'],
    ...['--only-if', 'status=processing, on-hold'],
  );
  expect(topics['order.created']).toEqual({
    contact: { mode: 'automatic', source_id: source, group_ids: groups },
    template: {
      name: 'hello',
      language: 'en',
      fields: [
        { path: 'billing.first_name', format: 'first_word', default: 'a, b' },
        { path: 'total' },
      ],
      header_media_path: 'line_items.0.image.src',
      only_if: { path: 'status', values: ['processing', 'on-hold'] },
    },
  });
  expect(await run('map', shop.slug, String(id), 'order.created')).toMatch(
    / {2}status=processing,on-hold$/m,
  );
  const unknown = parley('map', shop.slug, String(id), 'order.created', '--source', '99999');
  await expect(unknown).rejects.toThrow(/source_id must be the id of an existing source/);
  const bad = parley(
    'map',
    shop.slug,
    String(id),
    'order.created',
    '--template',
    't',
    '--language',
    'en',
    '--field',
    'a..b',
  );
  await expect(bad).rejects.toThrow(/a\.\.b/);
});

test('store map without options shows the actions, and changes nothing', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug);
  const map = (...options: string[]) => parley('map', shop.slug, String(id), ...options);
  const order = ['--template', 'order_update', '--language', 'en', '--field', 'number'];
  const set = (await map('order.created', ...order)).topics;
  expect(set['order.created'].template.name).toBe('order_update');
  expect((await map('order.created')).topics).toEqual(set);
  expect(Object.keys((await map()).topics)).toHaveLength(6);
  expect((await map()).topics).toMatchObject(set);
  expect(set['order.created'].contact.mode).toBe('automatic');
  for (const mode of ['upsert', 'fill', 'automatic']) {
    const { topics } = await map('order.created', '--contact', mode);
    expect(topics).toEqual({ 'order.created': { contact: { mode } } });
  }
  const { topics } = await map('order.created', '--contact', 'none');
  expect(topics).toEqual({ 'order.created': { contact: { mode: 'none' } } });
});

test.each([
  [['--contact', 'none'], /Give a topic/],
  [['--template', 'hello', '--language', 'en'], /Give a topic/],
  [['order.paid'], /Give a topic/],
  [['order.created', '--contact', 'replace'], /one of automatic, upsert, fill, none/],
  [['order.created', '--language', 'en'], /need --template/],
  [['order.created', '--field', 'number'], /need --template/],
  [['order.created', '--contact', 'none', '--header-media', 'invoice'], /need --template/],
  [['order.created', '--only-if', 'status=completed'], /need --template/],
  [['order.created', '--template', 'hello'], /needs --language/],
  ...['status=', 'status=paid,', '=paid', 'a b=paid'].map((each): [string[], RegExp] => [
    ['order.created', '--template', 'hello', '--language', 'en', '--only-if', each],
    /is not a condition|must be names with dots/,
  ]),
])('store map refuses %j, and changes nothing', async (options, problem) => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug);
  const before = await parley('map', shop.slug, String(id));
  await expect(parley('map', shop.slug, String(id), ...options)).rejects.toThrow(problem);
  expect(await parley('map', shop.slug, String(id))).toEqual(before);
});

test('an unknown event is named', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug);
  for (const event of ['99', 'x']) {
    const message = `Store ${id} has no event ${event}. See \`parley store events ${shop.slug} ${id}\`.`;
    await expect(parley('replay', shop.slug, String(id), event)).rejects.toThrow(message);
    await expect(parley('preview', shop.slug, String(id), '--event', event)).rejects.toThrow(
      message,
    );
  }
  await expect(parley('events', shop.slug, String(id), '--state', 'lost')).rejects.toThrow(
    'There is no state "lost": use waiting, done, nothing_to_do, skipped, failed.',
  );
  await expect(parley('replay', shop.slug, String(id))).rejects.toThrow(
    'Give either an event or --failed.',
  );
  await expect(parley('events', shop.slug, String(id), '--limit', '0')).rejects.toThrow(
    '--limit must be an integer from 1 to 10000; it is "0".',
  );
});

test('store map says where a template could not be sent now', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug);
  const map = (...options: string[]) =>
    parley('map', shop.slug, String(id), 'order.created', ...options);
  const order = ['--template', 'order_update', '--language', 'en'];
  const problemOf = async (...options: string[]) => (await map(...options)).problems;
  expect(await problemOf()).toEqual([]);
  const [numberless] = await problemOf(...order);
  expect(numberless.topic).toBe('order.created');
  expect(numberless.problem).toMatch(/^This tenant has no WhatsApp number\./);
  await connectTestNumber(app, shop.id);
  await syncTemplates(app.services, shop.id);
  const fields = ['--field', 'billing.first_name', '--field', 'number', '--field', 'date_created'];
  expect(await problemOf(...order, ...fields)).toEqual([]);
  const [short] = await problemOf(...order, '--field', 'number');
  expect(short.problem).toMatch(/^field_2 is required/);
  const [none] = await problemOf('--template', 'parcel', '--language', 'en');
  expect(none.problem).toBe('template_name is not a template of this account: "parcel"');
  const text = await run('map', shop.slug, String(id));
  expect(text).toMatch(/^order\.created would fail: template_name is not a template/m);
});

test('store map says which topics never have a phone', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug);
  const map = (topic: string) => parley('map', shop.slug, String(id), topic, '--contact', 'upsert');
  for (const topic of ['order.deleted', 'product.created', 'product.updated']) {
    expect((await map(topic)).problems).toEqual([
      { topic, problem: expect.stringMatching(/^topic has no phone/) },
    ]);
  }
  expect((await map('customer.created')).problems).toEqual([]);
});

test('a deleted store is refused, and another tenant’s store is not found', async () => {
  const shop = await app.tenant({ number: false });
  const other = await app.tenant({ number: false });
  const made = await create(shop.slug);
  const post = () =>
    call(app, 'POST', pathOf(made), '{}', {
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-signature': sign('{}', made.secret),
    });
  for (const command of ['events', 'delete', 'map']) {
    await expect(parley(command, other.slug, String(made.id))).rejects.toThrow(/has no store/);
  }
  expect(await parley('delete', shop.slug, String(made.id))).toEqual({ deleted: made.id });
  expect((await post()).status).toBe(401);
});

test('store set changes the name and the country, and keeps what is not given', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await create(shop.slug, '--country', 'DE');
  const set = (...options: string[]) => parley('set', shop.slug, String(id), ...options);
  expect(await set('--name', 'Coffee')).toMatchObject({ id, name: 'Coffee', country: 'DE' });
  expect(await set('--country', 'at')).toMatchObject({ name: 'Coffee', country: 'AT' });
  expect(await set('--no-country')).toMatchObject({ name: 'Coffee', country: null });
  await expect(set('--country', 'UK')).rejects.toThrow(/country must be/);
  await expect(set('--name', ' ')).rejects.toThrow(/name must/);
  await expect(set()).rejects.toThrow('Give --name, --country or --no-country.');
  await expect(parley('set', shop.slug, '99', '--name', 'Tea')).rejects.toThrow(/has no store/);
});

test('the number that sends the messages of a store is chosen by its phone or id', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  const made = await create(shop.slug, '--from', second.phone_number_id);
  expect(made.number_id).toBe(second.id);
  const id = String(made.id);
  const phone = shop.number.display_phone_number!.replaceAll(' ', '');
  expect(await parley('set-number', shop.slug, id, phone)).toMatchObject({
    number_id: shop.number.id,
  });
  expect(await parley('set-number', shop.slug, id)).toMatchObject({ number_id: null });
  await expect(run('set-number', shop.slug, id, '123')).rejects.toThrow(
    'is not a connected number of this tenant: "123"',
  );
});
