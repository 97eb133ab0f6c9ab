import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { connectTestNumber, control, misbehave } from '../../../test/servers/control.ts';
import { writeTo } from '../../../test/servers/phone.ts';
import { observeState } from '../../metrics/observe-state.ts';
import { countUnconnected } from '../state/unconnected-numbers.ts';
import { checkDueNumbers } from './check-due-numbers.ts';

const app = testApp({ PARLEY_NUMBER_SILENCE_MINUTES: '30' });
const minute = 60_000;
const day = 86_400_000;

const numbersOf = async (member: TestMember) =>
  (await member.call('GET', '/numbers')).body.data.numbers;
const problemsOf = async (member: TestMember) =>
  (await member.call('GET', '/overview')).body.data.number_problems;

const send = (shop: TestTenant) =>
  shop.call('POST', '/messages/send', {
    phone_number: '+14155550123',
    type: 'text',
    message: 'Hello',
  });

async function troubled(what: string): Promise<string | undefined> {
  const { metrics } = app.services;
  await app.services.db.pool.query('select 1');
  await look();
  const text = await metrics.registry.metrics();
  return RegExp(`^parley_troubled\\{what="${what}"\\} (\\d+)$`, 'm').exec(text)?.[1];
}
const troubledNumbers = () => troubled('numbers');
let observing: (() => Promise<void>) | undefined;
async function look(): Promise<void> {
  observing ??= observeState(app.services);
  await observing();
}

test('a number that sends but from which nothing is heard is a problem', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await misbehave(app, shop, { callbacks: false });
  expect((await send(shop)).status).toBe(200);
  await app.moveClock(29 * minute);
  expect(await problemsOf(owner)).toEqual([]);
  expect((await numbersOf(owner))[0].state).toBe('not_verified');

  await app.moveClock(2 * minute);
  const problem = 'It sends, but WhatsApp reports nothing: no delivery and no message arrives.';
  expect(await problemsOf(owner)).toEqual([
    { phone: shop.number.display_phone_number, problem, problem_says: { code: 'number_silent' } },
  ]);
  expect((await numbersOf(owner))[0]).toMatchObject({
    state: 'does_not_work',
    faults: [{ name: 'silence', found: problem }],
  });
  expect(await troubledNumbers()).toBe('1');

  await misbehave(app, shop, { callbacks: true });
  await writeTo(app, shop.number, '+14155550123', 'Hello');
  // That the number was heard is recorded after the message.
  await eventually(async () => (await numbersOf(owner))[0].state === 'works');
  expect((await numbersOf(owner))[0].faults).toEqual([]);
  expect(await problemsOf(owner)).toEqual([]);
  expect(await troubledNumbers()).toBe('0');
});

test('a number that is heard is not silent, however long it sends', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  for (let round = 0; round < 3; round++) {
    // A process caches numbers for up to a second, whatever the moved clock says.
    await eventually(async () => {
      await send(shop);
      const { rows } = await app.db.pool.query(
        'select unheard_since, heard_at > now() - $2::interval as heard from numbers where tenant_id = $1',
        [shop.id, '5 minutes'],
      );
      return rows[0].heard && rows[0].unheard_since === null;
    });
    await app.moveClock(20 * minute);
  }
  await app.moveClock(day);
  expect(await problemsOf(owner)).toEqual([]);
});

test('a message of one number proves another one of the account only if it was sent to it', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const { business_account_id } = shop.number;
  const second = await connectTestNumber(app, shop.id, { business_account_id });
  // All callbacks of the account go to the URL of the first number.
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: second.phone_number_id,
    callback_url: `${app.url}/whatsapp/callbacks/${shop.number.callback_id}`,
  });
  await writeTo(app, second, '+14155550123', 'Hello');
  const states = async () => (await numbersOf(owner)).map(({ state }: { state: string }) => state);
  expect(await states()).toEqual(['not_verified', 'works']);
});

test('what is reported about a number that nobody connected is counted until it is connected', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const { business_account_id, callback_id } = shop.number;
  const made = await control(app, 'POST', '/simulator/numbers', { business_account_id });
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: made.phone_number_id,
    callback_url: `${app.url}/whatsapp/callbacks/${callback_id}`,
  });
  const unconnected = async () => (await owner.call('GET', '/numbers')).body.data.unconnected;
  const lost = async () => {
    const text = await app.services.metrics.registry.metrics();
    return Number(/^parley_lost_reports_total (\d+)$/m.exec(text)?.[1]);
  };
  const { phone_number_id, access_token, app_secret } = made;
  const write = async (expected: number) => {
    const message = { phone_number_id, from: '+14155550123', text: 'Hello' };
    await control(app, 'POST', '/simulator/inbound', message);
    await eventually(async () => (await unconnected())[0]?.reports === expected);
  };
  const before = await lost();
  for (const count of [1, 2]) await write(count);
  expect(await unconnected()).toEqual([
    {
      phone_number_id,
      display_phone_number: `+${made.display_phone_number.replace(/\D/g, '')}`,
      reports: 2,
      first_at: expect.any(String),
      last_at: expect.any(String),
    },
  ]);
  expect((await lost()) - before).toBe(2);
  expect(await troubled('unconnected_numbers')).toBe('1');

  const report = (id: string) => ({ phoneNumberId: id, displayPhoneNumber: null, reports: 1 });
  const many = Array.from({ length: 100 }, (_, place) => report(`1${place}`));
  await countUnconnected(app.db, shop.id, many);

  await app.moveClock(8 * day);
  expect(await unconnected()).toEqual([]);
  await countUnconnected(app.db, shop.id, [report('2')]);
  expect(await unconnected()).toMatchObject([{ phone_number_id: '2', reports: 1 }]);

  await app.moveClock(8 * day);
  await write(1);
  const ids = { phone_number_id, business_account_id };
  await owner.call('POST', '/numbers', { ...ids, access_token, app_secret });
  // A callback may have been read before that.
  await countUnconnected(app.db, shop.id, [report(phone_number_id)]);
  expect(await unconnected()).toEqual([]);
  expect(await troubled('unconnected_numbers')).toBe('0');
});

test('new secrets must be proven again', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await writeTo(app, shop.number, '+14155550123', 'Hello');
  expect((await numbersOf(owner))[0].state).toBe('works');
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    access_token: 'EAAnew',
  });
  const { phone_number_id, business_account_id } = shop.number;
  const { app_secret } = (await control(app, 'GET', '/simulator/numbers')).numbers.find(
    (each: { phone_number_id: string }) => each.phone_number_id === phone_number_id,
  );
  const ids = { phone_number_id, business_account_id };
  await owner.call('POST', '/numbers', { ...ids, access_token: 'EAAnew', app_secret });
  expect((await numbersOf(owner))[0].state).not.toBe('works');
});

test('every number is checked once a day, and what has become wrong is shown', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await writeTo(app, shop.number, '+14155550123', 'Hello');
  await app.moveClock(2 * day);
  await checkDueNumbers(app.services);
  const checked = (await numbersOf(owner))[0].checked_at;
  expect(checked).not.toBeNull();

  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    registration: { status: 'DISCONNECTED' },
  });
  await checkDueNumbers(app.services);
  expect((await numbersOf(owner))[0].checked_at).toBe(checked);
  await app.moveClock(1.2 * day);
  await checkDueNumbers(app.services);
  expect((await numbersOf(owner))[0]).toMatchObject({
    state: 'does_not_work',
    faults: expect.arrayContaining([
      expect.objectContaining({
        name: 'registration',
        found: 'The number is not registered (DISCONNECTED), so it cannot send.',
      }),
    ]),
  });
  const phone = shop.number.display_phone_number;
  expect(await problemsOf(owner)).toMatchObject([{ phone }]);
});

test('a number whose app secret was changed at the network is checked at its first refused callback', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await writeTo(app, shop.number, '+14155550123', 'Hello');
  await app.moveClock(2 * day);
  await checkDueNumbers(app.services);
  expect((await numbersOf(owner))[0].state).toBe('works');

  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    app_secret: 'another secret',
  });
  const url = `${app.url}/whatsapp/callbacks/${shop.number.callback_id}`;
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  const refused = await fetch(url, { method: 'POST', headers, body: '{}' });
  expect(refused.status).toBe(401);
  await app.moveClock(6 * minute);
  await checkDueNumbers(app.services);
  expect((await numbersOf(owner))[0].state).toBe('does_not_work');
  expect((await numbersOf(owner))[0].faults).toContainEqual(
    expect.objectContaining({ name: 'app_secret' }),
  );
});

test('a number whose messages fail because of it does not work until a later message is delivered', async () => {
  const shop = await app.tenant({ delivers: true });
  const owner = await signIn(app, shop);
  await writeTo(app, shop.number, '+14155550123', 'Hello');
  await app.moveClock(10 * minute);
  await checkDueNumbers(app.services);
  await misbehave(app, shop, { failWith: 131042 });
  expect((await send(shop)).status).toBe(200);
  const problem = expect.stringMatching(/no payment method, or an unpaid bill.*code 131042/);
  const expected = { state: 'does_not_work', faults: [{ name: 'failures', found: problem }] };
  await eventually(async () => (await numbersOf(owner))[0].state === 'does_not_work');
  expect((await numbersOf(owner))[0]).toMatchObject(expected);
  expect(await problemsOf(owner)).toMatchObject([{ problem }]);

  // The network still accepts messages, and the check that is due now finds nothing.
  await send(shop);
  const { checked_at } = (await numbersOf(owner))[0];
  await app.moveClock(6 * minute);
  await checkDueNumbers(app.services);
  expect((await numbersOf(owner))[0]).toMatchObject(expected);
  expect((await numbersOf(owner))[0].checked_at).not.toBe(checked_at);

  await misbehave(app, shop, { failWith: null });
  await app.moveClock(20 * minute);
  // A process caches numbers for up to a second, whatever the moved clock says.
  await eventually(async () => {
    await send(shop);
    return (await numbersOf(owner))[0].state === 'works';
  });
});

test('a person who checks a number ends the report of its failures', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await misbehave(app, shop, { failWith: 131042 });
  await send(shop);
  await eventually(async () => (await numbersOf(owner))[0].state === 'does_not_work');
  // The network reports to the app's own address, which is not its base URL.
  await owner.call('POST', `/numbers/${shop.number.id}/verify`, { take_over: true });
  expect((await numbersOf(owner))[0].state).toBe('not_verified');
});

test('while the network does not respond, a check changes nothing', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await app.db.pool.query(
    `update numbers set faults = '[{"name": "health", "found": "Blocked.", "fix": "Pay."}]'
     where tenant_id = $1`,
    [shop.id],
  );
  const { networkUrl } = app.services;
  const away = { ...app.services, networkUrl: 'http://127.0.0.1:1' };
  expect(networkUrl).not.toBe(away.networkUrl);
  await app.moveClock(2 * day);
  await checkDueNumbers(away);
  expect((await numbersOf(owner))[0].faults).toMatchObject([{ found: 'Blocked.' }]);
});

test('an access token that ends soon is known from the daily check, and the number works', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const { id, phone_number_id } = shop.number;
  const check = async (expiresAt: number) => {
    const token = { expires_at: Math.floor(expiresAt / 1_000) };
    await control(app, 'POST', '/simulator/numbers', { phone_number_id, token });
    // The network reports to the app's own address, which is not its base URL.
    await owner.call('POST', `/numbers/${id}/verify`, { take_over: true });
    return (await numbersOf(owner))[0];
  };
  const expiring = await troubled('expiring_tokens');
  expect((await check(0)).token_expires_at).toBe(null);
  await check(Date.now() + 60 * day);
  expect(await troubled('expiring_tokens')).toBe(expiring);
  const number = await check(Date.now() + 10 * day);
  expect(number).toMatchObject({ state: 'not_verified', faults: [] });
  expect(Date.parse(number.token_expires_at) - Date.now()).toBeGreaterThan(9 * day);
  expect(Number(await troubled('expiring_tokens'))).toBe(Number(expiring) + 1);
});
