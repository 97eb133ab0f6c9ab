import { expect, test } from 'vitest';
import { signIn } from '../../test/features/sign-in.ts';
import { testApp } from '../../test/program/app.ts';
import { control } from '../../test/servers/control.ts';

const app = testApp();

test('a check is of the number itself, not only of its account, and clears its problem', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const { rows } = await app.db.pool.query(
    `update numbers set problem = 'It does not send.' where tenant_id = $1 returning id`,
    [shop.id],
  );
  const verify = async () =>
    (await owner.call('POST', `/numbers/${rows[0].id}/verify`, {})).body.data;
  const problem = async () => (await owner.call('GET', '/numbers')).body.data.numbers[0].problem;
  const setId = (id: string) =>
    app.db.pool.query('update numbers set phone_number_id = $2 where tenant_id = $1', [
      shop.id,
      id,
    ]);

  await setId('1');
  expect(await verify()).toMatchObject({
    state: 'does_not_work',
    faults: expect.arrayContaining([
      expect.objectContaining({
        name: 'number',
        found: expect.stringMatching(/^The network refuses: .*'1'.*network code 100\)\.$/),
      }),
    ]),
  });
  expect(await problem()).toBe('It does not send.');

  await setId(shop.number.phone_number_id);
  await verify();
  expect(await problem()).toBeNull();
});

test('one of the numbers is the default, and every response shows which', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  const connect = async () => {
    const made = await control(app, 'POST', '/simulator/numbers', {});
    return (await owner.call('POST', '/numbers', made)).body.data;
  };
  const listed = async () =>
    (await owner.call('GET', '/numbers')).body.data.numbers.map(
      (each: { id: number; default: boolean }) => [each.id, each.default],
    );
  const [first, second] = [await connect(), await connect()];
  expect([first.default, second.default]).toEqual([true, false]);
  expect(await listed()).toEqual([
    [first.id, true],
    [second.id, false],
  ]);

  const deleted = await owner.call('DELETE', `/numbers/${first.id}`);
  expect(deleted.body.data).toMatchObject({ id: first.id, default: false });
  expect(await listed()).toEqual([[second.id, true]]);
});

test('only its own tenant can test and disconnect a number', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const [owner, stranger] = [await signIn(app, shop), await signIn(app, other)];
  const made = await control(app, 'POST', '/simulator/numbers', {});
  const { id } = (await owner.call('POST', '/numbers', made)).body.data;
  const listed = async () =>
    (await owner.call('GET', '/numbers')).body.data.numbers.map((each: { id: number }) => each.id);
  const all = await listed();
  expect((await stranger.call('POST', `/numbers/${id}/verify`, {})).status).toBe(404);
  expect((await stranger.call('DELETE', `/numbers/${id}`)).status).toBe(404);
  // Another tenant that has the token may connect the same number.
  const same = (await stranger.call('POST', '/numbers', made)).body.data;
  expect((await stranger.call('DELETE', `/numbers/${same.id}`)).status).toBe(200);
  expect(await listed()).toEqual(all);
  expect(all).toContain(id);
});

test('a tenant can connect at most 100 numbers', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  await app.db.pool.query(
    `insert into numbers (tenant_id, phone_number_id, business_account_id, callback_id, verify_token)
     select $1::bigint, n, n, $1 || '-' || n, 'x' from generate_series(1, 100) as n`,
    [shop.id],
  );
  const number = { business_account_id: '1', access_token: 'token', app_secret: 'secret' };
  const connect = (id: string) =>
    owner.call('POST', '/numbers', { ...number, phone_number_id: id });
  const refused = await connect('101');
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { phone_number_id: ['cannot be added: the tenant has 100 numbers, the maximum'] },
  ]);
  expect((await connect('100')).status).toBe(200);
});
