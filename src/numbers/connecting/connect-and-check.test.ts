import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { sameOrigin, signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { call, type TestApp, type TestTenant, testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';
import { buildApp } from '../../app.ts';

const baseUrl = 'https://localhost:8443';
const app = testApp();

type Simulated = Record<string, string> & { phone_number_id: string };

/** Creates a number at the network that nobody has connected, with an app that reports nothing. */
const newNumber = (values: object = {}): Promise<Simulated> =>
  control(app, 'POST', '/simulator/numbers', values);

const change = ({ phone_number_id }: Simulated, values: object) =>
  control(app, 'POST', '/simulator/numbers', { phone_number_id, ...values });

const secretsOf = ({ access_token, app_secret }: Simulated) => ({ access_token, app_secret });

async function newOwner() {
  const shop = await app.tenant({ number: false });
  return { shop, owner: at(await signIn(app, shop), shop) };
}

/** The same member at the app that the network can reach. */
function at({ cookie }: TestMember, { slug }: TestTenant) {
  const headers = { ...sameOrigin, origin: app.url, cookie };
  return {
    call: (method: string, path: string, body?: unknown) =>
      call(reachable, method, `/dashboard-api/${slug}${path}`, body, headers),
  };
}

const write = ({ phone_number_id }: Simulated) =>
  control(app, 'POST', '/simulator/inbound', {
    phone_number_id,
    from: '+14155550177',
    text: 'Hello',
  });

/** Builds the app with its own address as base URL: that of tests is one that the network cannot reach. */
let reachable: TestApp;
beforeAll(async () => {
  const config = { ...app.services.config, baseUrl: app.url };
  const built = await buildApp({ ...app.services, config });
  reachable = { ...app, app: built };
});
afterAll(() => reachable.app.close());

test('a token and an app secret are enough, and a message proves that the number works', async () => {
  const { shop, owner } = await newOwner();
  const made = await newNumber();
  const { status, body } = await owner.call('POST', '/numbers', secretsOf(made));
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    phone_number_id: made.phone_number_id,
    business_account_id: made.business_account_id,
    display_phone_number: made.display_phone_number,
    verified_name: 'Test Business',
    state: 'not_verified',
    faults: [],
  });
  expect(body.data.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual(
    [
      ['token', true],
      ['number', true],
      ['registration', true],
      ['health', true],
      ['address', true],
      ['callbacks', true],
      ['fields', true],
    ],
  );

  await write(made);
  const state = async () => (await owner.call('GET', '/numbers')).body.data.numbers[0].state;
  await eventually(async () => (await state()) === 'works');
  const { rows } = await app.db.pool.query(
    'select from messages where tenant_id = $1 and direction = $2',
    [shop.id, 'in'],
  );
  expect(rows).toHaveLength(1);
});

test('of several numbers, none is connected until one is chosen', async () => {
  const { owner } = await newOwner();
  const first = await newNumber();
  const second = await newNumber({ business_account_id: first.business_account_id });
  const refused = await owner.call('POST', '/numbers', secretsOf(first));
  expect(refused.status).toBe(422);
  expect(refused.body.errors.phone_number_id[0]).toMatch(
    new RegExp(`^must be one of .*${first.phone_number_id}.*; ${second.phone_number_id}`),
  );
  const visible = await owner.call('POST', '/numbers/visible', secretsOf(first));
  expect(visible.body.data.numbers).toMatchObject([
    { phone_number_id: first.phone_number_id, verified_name: 'Test Business', connected: false },
    { phone_number_id: second.phone_number_id, connected: false },
  ]);
  expect((await owner.call('GET', '/numbers')).body.data.numbers).toEqual([]);

  const { phone_number_id } = second;
  const chosen = await owner.call('POST', '/numbers', { ...secretsOf(first), phone_number_id });
  expect(chosen.body.data).toMatchObject({ phone_number_id, state: 'not_verified' });
});

test('two numbers of one account share its callbacks, whichever was connected last', async () => {
  const { owner } = await newOwner();
  const first = await newNumber();
  const second = await newNumber({ business_account_id: first.business_account_id });
  for (const { phone_number_id } of [first, second]) {
    const { body } = await owner.call('POST', '/numbers', { ...secretsOf(first), phone_number_id });
    expect(body.data.faults).toEqual([]);
  }
  await write(first);
  await write(second);
  await eventually(async () => {
    const { numbers } = (await owner.call('GET', '/numbers')).body.data;
    return numbers.every(({ state }: { state: string }) => state === 'works');
  });
});

test('if the number is disconnected whose URL an account reports to, its other numbers still hear', async () => {
  const { owner } = await newOwner();
  const first = await newNumber();
  const second = await newNumber({ business_account_id: first.business_account_id });
  const connect = async ({ phone_number_id }: Simulated) =>
    (await owner.call('POST', '/numbers', { ...secretsOf(first), phone_number_id })).body.data;
  const holder = await connect(first);
  await connect(second);
  expect((await owner.call('DELETE', `/numbers/${holder.id}`)).status).toBe(200);
  await write(second);
  await eventually(async () => {
    const { numbers } = (await owner.call('GET', '/numbers')).body.data;
    return numbers[0].state === 'works';
  });
});

test.each<[string, object, string, RegExp]>([
  [
    'a token without a scope',
    { token: { scopes: ['whatsapp_business_messaging'] } },
    'access_token',
    /^The access token lacks whatsapp_business_management, without which Parley cannot read templates/,
  ],
  [
    'an expired token',
    { token: { expires_at: 1 } },
    'access_token',
    /^The access token expired on 1970-01-01/,
  ],
])('%s is named, and nothing is connected', async (_name, values, field, message) => {
  const { owner } = await newOwner();
  const { status, body } = await owner.call('POST', '/numbers', secretsOf(await newNumber(values)));
  expect(status).toBe(422);
  expect(body.errors[field][0]).toMatch(message);
  expect((await owner.call('GET', '/numbers')).body.data.numbers).toEqual([]);
});

test('a secret of another app, and an account that the token may not use, are named', async () => {
  const { owner } = await newOwner();
  const [made, other] = [await newNumber(), await newNumber()];
  const wrongSecret = await owner.call('POST', '/numbers', {
    ...secretsOf(made),
    app_secret: other.app_secret,
  });
  expect(wrongSecret.body.errors.app_secret[0]).toMatch(
    /^The app secret is not that of the app \d+/,
  );
  const wrongAccount = await owner.call('POST', '/numbers', {
    ...secretsOf(made),
    business_account_id: other.business_account_id,
  });
  expect(wrongAccount.body.errors.business_account_id[0]).toBe(
    `The access token may not use this account. It may use ${made.business_account_id}.`,
  );
});

test('a token whose accounts the network does not list needs the id of the account', async () => {
  const { owner } = await newOwner();
  const made = await newNumber({ token: { names_accounts: false } });
  const refused = await owner.call('POST', '/numbers', secretsOf(made));
  expect(refused.body.errors.business_account_id[0]).toContain('Give the id');
  const { business_account_id } = made;
  const connected = await owner.call('POST', '/numbers', {
    ...secretsOf(made),
    business_account_id,
  });
  expect(connected.body.data).toMatchObject({ business_account_id, state: 'not_verified' });
});

test('a number that is not registered is registered once its PIN is given', async () => {
  const { owner } = await newOwner();
  const made = await newNumber({ registration: { status: 'PENDING', pin: '482913' } });
  const { body } = await owner.call('POST', '/numbers', secretsOf(made));
  expect(body.data).toMatchObject({
    state: 'does_not_work',
    faults: [
      {
        name: 'registration',
        found: expect.stringMatching(/not registered .* Its PIN is missing/),
      },
    ],
  });
  const verify = (pin: string) => owner.call('POST', `/numbers/${body.data.id}/verify`, { pin });
  expect((await verify('000000')).body.data.faults[0].found).toContain('133005');
  expect((await verify('482913')).body.data).toMatchObject({ state: 'not_verified', faults: [] });
});

test('an account whose messages go to another program is taken over only on request', async () => {
  const { owner } = await newOwner();
  const made = await newNumber();
  const other = createServer((request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://localhost');
    response.end(searchParams.get('hub.challenge'));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  const held = `http://127.0.0.1:${(other.address() as AddressInfo).port}/hook`;
  await change(made, { callback_url: held });
  await change(made, { callback_url: null });
  const path = `${app.simulator.url}/${made.business_account_id}/subscribed_apps`;
  const headers = {
    authorization: `Bearer ${made.access_token}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ override_callback_uri: held, verify_token: 'x' });
  await fetch(path, { method: 'POST', headers, body });

  const connected = await owner.call('POST', '/numbers', secretsOf(made));
  expect(connected.body.data).toMatchObject({
    state: 'does_not_work',
    faults: expect.arrayContaining([
      expect.objectContaining({
        name: 'held_callbacks',
        found: `The messages of the account go to another address: ${held}.`,
        fix: expect.stringContaining('take over'),
      }),
    ]),
  });
  const taken = await owner.call('POST', `/numbers/${connected.body.data.id}/verify`, {
    take_over: true,
  });
  expect(taken.body.data).toMatchObject({ state: 'not_verified', faults: [] });
  expect(await (await fetch(path, { headers })).text()).toContain(taken.body.data.callback_url);
});

test('a missing payment method is shown as the network describes it', async () => {
  const { owner } = await newOwner();
  const problem = {
    error_code: 141006,
    error_description: 'There is an error with the payment method.',
    possible_solution: 'Add a valid payment method.',
  };
  const made = await newNumber({
    health_status: {
      can_send_message: 'BLOCKED',
      entities: [{ entity_type: 'WABA', can_send_message: 'BLOCKED', errors: [problem] }],
    },
  });
  const { body } = await owner.call('POST', '/numbers', secretsOf(made));
  expect(body.data.faults[0].found).toBe(
    'WhatsApp does not let the number send. There is an error with the payment method. Add a valid payment method.',
  );
});

test('with all four values a number is connected although WhatsApp cannot reach the base URL', async () => {
  const owner = await signIn(app, await app.tenant({ number: false }));
  const made = await newNumber();
  const { phone_number_id, business_account_id } = made;
  const ids = { phone_number_id, business_account_id };
  const { status, body } = await owner.call('POST', '/numbers', { ...secretsOf(made), ...ids });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ ...ids, state: 'does_not_work' });
  const address = body.data.faults.find(({ name }: { name: string }) => name === 'address');
  expect(address.found).toBe(
    `${baseUrl} is a local name, which WhatsApp cannot reach from the internet, so it can report nothing.`,
  );
});

test('staff see what is wrong, but change nothing at the network; other tenants see nothing', async () => {
  const { shop, owner } = await newOwner();
  const made = await newNumber({ registration: { status: 'PENDING' } });
  const { id } = (await owner.call('POST', '/numbers', secretsOf(made))).body.data;
  const staff = at(await signIn(app, shop, 'staff'), shop);
  const stranger = (await newOwner()).owner;
  const verify = (member: typeof owner) =>
    member.call('POST', `/numbers/${id}/verify`, { pin: '482913' });
  expect((await verify(staff)).body.data).toMatchObject({
    state: 'does_not_work',
    verify_token: '',
  });
  expect((await verify(stranger)).status).toBe(404);
  expect((await staff.call('POST', '/numbers/visible', secretsOf(made))).status).toBe(403);
  expect((await verify(owner)).body.data.state).toBe('not_verified');
});
