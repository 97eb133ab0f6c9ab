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

const secretsOf = ({ access_token, app_secret }: Simulated) => ({ access_token, app_secret });

async function newOwner() {
  const shop = await app.tenant({ number: false });
  return { shop, owner: at(await signIn(app, shop), shop) };
}

/** The same member at the app that the network can reach. */
function at({ cookie }: TestMember, { slug }: TestTenant, service = reachable) {
  const headers = { ...sameOrigin, origin: service.url, cookie };
  return {
    call: (method: string, path: string, body?: unknown) =>
      call(service, method, `/dashboard-api/${slug}${path}`, body, headers),
  };
}

const write = ({ phone_number_id }: Simulated, text = 'Hello') =>
  control(app, 'POST', '/simulator/inbound', { phone_number_id, from: '+14155550177', text });

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

test('two numbers of one account both get their messages, whichever was connected last', async () => {
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

test('a disconnected number gives its messages back, also those of its account', async () => {
  const { shop, owner } = await newOwner();
  const made = await newNumber();
  const neighbour = await newNumber({ business_account_id: made.business_account_id });
  const program = await startProgram();
  await holdBy(made, 'its app', program.url);
  const { phone_number_id } = made;
  const connect = async () => {
    const body = { ...secretsOf(made), phone_number_id, take_over: true };
    return (await owner.call('POST', '/numbers', body)).body.data;
  };
  const disconnect = async ({ id }: { id: number }) =>
    (await owner.call('DELETE', `/numbers/${id}`)).body.data.callbacks;
  const now = { to: 'other_program', url: program.url };
  const connected = await connect();
  expect(await disconnect(connected)).toEqual(now);
  await write(made, 'given back');
  await program.hears('given back');

  // The state that 1.0.0 leaves: the URL is that of the whole account.
  await connect();
  const { rows } = await app.db.pool.query<{ verify_token: string }>(
    'select verify_token from numbers where tenant_id = $1',
    [shop.id],
  );
  await atNetwork(made.access_token!, 'POST', `/${made.business_account_id}/subscribed_apps`, {
    override_callback_uri: connected.callback_url,
    verify_token: rows[0]!.verify_token,
  });
  expect(await disconnect(connected)).toEqual(now);
  await write(neighbour, 'of the account');
  await program.hears('of the account');
});

test('a copy of an installation takes messages only on request, and disconnecting a number there takes none', async () => {
  const { shop, owner } = await newOwner();
  const made = await newNumber();
  const { business_account_id } = made;
  const connected = [];
  for (const { phone_number_id } of [made, await newNumber({ business_account_id })]) {
    const { body } = await owner.call('POST', '/numbers', { ...secretsOf(made), phone_number_id });
    connected.push(body.data);
  }
  const baseUrl = app.url.replace('127.0.0.1', 'localhost');
  const services = { ...app.services, config: { ...app.services.config, baseUrl } };
  const copy = { ...app, app: await buildApp(services), url: baseUrl };
  onTestFinished(() => copy.app.close());

  const [first, second] = connected;
  const inCopy = at(await signIn(app, shop), shop, copy);
  const path = `/${second.phone_number_id}?fields=webhook_configuration`;
  const expectUrls = async (urls: { phone_number: string; application: string }) =>
    expect(await atNetwork(made.access_token!, 'GET', path)).toMatchObject({
      webhook_configuration: urls,
    });
  const original = { phone_number: second.callback_url, application: first.callback_url };
  const { data } = (await inCopy.call('DELETE', `/numbers/${first.id}`)).body;
  expect(data.callbacks).toEqual({ to: 'other_program', url: first.callback_url });
  await expectUrls(original);

  const verify = async (member: typeof owner, body: object) =>
    (await member.call('POST', `/numbers/${second.id}/verify`, body)).body.data;
  expect((await verify(inCopy, {})).faults).toContainEqual(
    expect.objectContaining({
      name: 'held_callbacks',
      found: `The messages of the number go to ${second.callback_url}, which is that of another installation with the same data, or an earlier PARLEY_BASE_URL or another name of this one.`,
      fix: expect.stringContaining('--take-over'),
    }),
  );
  await expectUrls(original);

  expect((await verify(inCopy, { take_over: true })).faults).toEqual([]);
  const inCopyUrl = `${baseUrl}${new URL(second.callback_url).pathname}`;
  await expectUrls({ phone_number: inCopyUrl, application: inCopyUrl });
  const heldNow = expect.objectContaining({ name: 'held_callbacks' });
  expect((await verify(owner, {})).faults).toContainEqual(heldNow);
});

test('where the messages of a disconnected number go is said, also if they are lost', async () => {
  const { owner } = await newOwner();
  const made = await newNumber();
  const { id, callback_url } = (await owner.call('POST', '/numbers', secretsOf(made))).body.data;
  // The app had no URL, so that it got that of the number.
  const { data } = (await owner.call('DELETE', `/numbers/${id}`)).body;
  expect(data.callbacks).toEqual({ to: 'parley', url: callback_url });
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

/** Another program that gets callbacks, and keeps their bodies. */
async function startProgram() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://localhost');
    if (request.method === 'POST') {
      bodies.push(Buffer.concat(await request.toArray()).toString());
    }
    response.end(searchParams.get('hub.challenge'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const hasText = (text: string) => bodies.join().includes(text);
  return { url, hears: (text: string) => eventually(async () => hasText(text)), hasText };
}

/** Calls the network as the owner of a number, or as its app. */
async function atNetwork(
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${app.simulator.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** The ways in which a program gets the messages of a number, each with the words that name it. */
const waysToHold: Record<
  string,
  { use(number: Simulated, url: string): Promise<unknown>; is: string }
> = {
  'the number': {
    use: ({ phone_number_id, access_token }, url) =>
      atNetwork(access_token!, 'POST', `/${phone_number_id}`, {
        webhook_configuration: { override_callback_uri: url, verify_token: 'x' },
      }),
    is: 'which is set for this number',
  },
  'its account': {
    use: ({ business_account_id, access_token }, url) =>
      atNetwork(access_token!, 'POST', `/${business_account_id}/subscribed_apps`, {
        override_callback_uri: url,
        verify_token: 'x',
      }),
    is: 'which is set for its whole account',
  },
  'its app': {
    use: ({ app_id, app_secret }, url) =>
      atNetwork(`${app_id}|${app_secret}`, 'POST', `/${app_id}/subscriptions`, {
        callback_url: url,
        verify_token: 'x',
        fields: ['messages'],
      }),
    is: 'which is the app’s own',
  },
};

/** Subscribes the app of a number to its account, and lets a program hold its messages. */
async function holdBy(number: Simulated, way: string, url: string): Promise<void> {
  const path = `/${number.business_account_id}/subscribed_apps`;
  await atNetwork(number.access_token!, 'POST', path);
  await waysToHold[way]!.use(number, url);
}

test.each(Object.keys(waysToHold))(
  'messages that go to another program at the address of %s are taken over only on request',
  async (way) => {
    const { owner } = await newOwner();
    const made = await newNumber();
    const { business_account_id, app_id } = made;
    const neighbour = await newNumber({ business_account_id });
    const elsewhere = await newNumber({ app_id, app_secret: made.app_secret! });
    const program = await startProgram();
    await holdBy(made, 'its app', program.url);
    await holdBy(elsewhere, 'its app', program.url);
    await holdBy(made, way, program.url);

    const { phone_number_id } = made;
    const { body } = await owner.call('POST', '/numbers', { ...secretsOf(made), phone_number_id });
    expect(body.data).toMatchObject({
      state: 'does_not_work',
      faults: expect.arrayContaining([
        expect.objectContaining({
          name: 'held_callbacks',
          found: `The messages of the number go to another address, ${waysToHold[way]!.is}: ${program.url}.`,
          fix: expect.stringContaining('--take-over'),
        }),
      ]),
    });
    await write(made, 'before');
    await program.hears('before');

    const path = `/numbers/${body.data.id}/verify`;
    const taken = (await owner.call('POST', path, { take_over: true })).body.data;
    expect(taken).toMatchObject({ state: 'not_verified', faults: [] });
    expect(taken.checks).toContainEqual(
      expect.objectContaining({
        found: `The messages of the number are reported to Parley now, and no longer to ${program.url}.`,
      }),
    );
    for (const each of [made, neighbour, elsewhere])
      await write(each, `to ${each.phone_number_id}`);
    const state = async () => (await owner.call('GET', '/numbers')).body.data.numbers[0].state;
    await eventually(async () => (await state()) === 'works');
    // Numbers that nobody connected here stay with the other program.
    if (way !== 'the number') await program.hears(`to ${neighbour.phone_number_id}`);
    await program.hears(`to ${elsewhere.phone_number_id}`);
    expect(program.hasText(`to ${made.phone_number_id}`)).toBe(false);
  },
);

test('an app at the address of another program that does not report messages is taken over only on request', async () => {
  const { owner } = await newOwner();
  const made = await newNumber();
  const { app_id, access_token } = made;
  const other = await newNumber({ app_id, access_token, app_secret: made.app_secret! });
  const program = await startProgram();
  await atNetwork(`${app_id}|${made.app_secret}`, 'POST', `/${app_id}/subscriptions`, {
    callback_url: program.url,
    verify_token: 'x',
    fields: ['account_update'],
  });
  const { phone_number_id } = made;
  const connect = async (take_over: boolean) =>
    (await owner.call('POST', '/numbers', { ...secretsOf(made), phone_number_id, take_over })).body
      .data;
  expect((await connect(false)).faults).toContainEqual(
    expect.objectContaining({
      name: 'held_callbacks',
      found: expect.stringContaining(`Its own address is ${program.url}.`),
      fix: expect.stringContaining(`also for the accounts ${other.business_account_id}.`),
    }),
  );
  const taken = await connect(true);
  expect(taken.faults).toEqual([]);
  expect(taken.checks.at(-1).found).toContain(`Parley’s now, and no longer ${program.url}.`);
});

test('an address that an earlier version set for the whole account is removed when its numbers have their own', async () => {
  const { shop, owner } = await newOwner();
  const first = await newNumber();
  const { business_account_id } = first;
  const second = await newNumber({ business_account_id });
  const unconnected = await newNumber({ business_account_id });
  const program = await startProgram();
  const connect = async ({ phone_number_id }: Simulated) =>
    (await owner.call('POST', '/numbers', { ...secretsOf(first), phone_number_id })).body.data;
  const numbers = [await connect(first), await connect(second)];
  await holdBy(first, 'its app', program.url);
  // The state that 1.0.0 leaves.
  const { rows } = await app.db.pool.query<{ verify_token: string }>(
    'select verify_token from numbers where tenant_id = $1 order by id',
    [shop.id],
  );
  await atNetwork(first.access_token!, 'POST', `/${business_account_id}/subscribed_apps`, {
    override_callback_uri: numbers[0].callback_url,
    verify_token: rows[0]!.verify_token,
  });
  for (const { phone_number_id } of [first, second]) {
    await atNetwork(first.access_token!, 'POST', `/${phone_number_id}`, {
      webhook_configuration: { override_callback_uri: '' },
    });
  }
  const verify = async ({ id }: { id: number }) =>
    (await owner.call('POST', `/numbers/${id}/verify`, {})).body.data.checks.find(
      ({ name }: { name: string }) => name === 'callbacks',
    ).found;
  expect(await verify(numbers[0])).toBe('The messages of the number are reported to Parley.');
  expect(await verify(numbers[1])).toBe(
    `The messages of the number are reported to Parley. It no longer gets those of other numbers of the account (${unconnected.display_phone_number}): they go to the app’s own address, ${program.url}.`,
  );
  for (const each of [first, second, unconnected]) await write(each);
  await program.hears(unconnected.phone_number_id);
  await eventually(async () => {
    const { numbers } = (await owner.call('GET', '/numbers')).body.data;
    return numbers.every(({ state }: { state: string }) => state === 'works');
  });
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
