import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { signIn, type TestMember } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { connectTestNumber, control } from '../../test/servers/control.ts';

const app = testApp();

type Numbers = { id: number; default: boolean; display_phone_number: string }[];

/** Lists the defaults of a tenant: it has one, if it has a number. */
async function defaultsOf(member: TestMember): Promise<number[]> {
  const { numbers } = (await member.call('GET', '/numbers')).body.data as { numbers: Numbers };
  return numbers.filter((each) => each.default).map(({ id }) => id);
}

async function shopWithOwner(): Promise<{ shop: TestTenant; owner: TestMember }> {
  const shop = await app.tenant({ number: false });
  return { shop, owner: await signIn(app, shop) };
}

const connectReal = async (owner: TestMember) =>
  (await owner.call('POST', '/numbers', await control(app, 'POST', '/simulator/numbers', {}))).body;
const connectSimulated = async (owner: TestMember) =>
  (await owner.call('POST', '/numbers/simulated')).body;

test('a real number takes over from a simulated one when it is connected, and the response says so', async () => {
  const { owner } = await shopWithOwner();
  const simulated = await connectSimulated(owner);
  expect(await defaultsOf(owner)).toEqual([simulated.data.id]);
  const real = await connectReal(owner);
  expect(real.message).toBe(
    `The number is connected. Messages are now sent from it, no longer from the simulated ${simulated.data.display_phone_number}.`,
  );
  expect(await defaultsOf(owner)).toEqual([real.data.id]);
  for (const next of [await connectReal(owner), await connectSimulated(owner)]) {
    expect(next.message).toBe('The number is connected.');
    expect(next.data.default).toBe(false);
  }
  expect(await defaultsOf(owner)).toEqual([real.data.id]);
});

test('new secrets of a real number do not take over from a simulated one that was chosen', async () => {
  const { owner } = await shopWithOwner();
  const made = await control(app, 'POST', '/simulator/numbers', {});
  await owner.call('POST', '/numbers', made);
  const simulated = (await connectSimulated(owner)).data;
  await owner.call('PUT', `/numbers/${simulated.id}`, { default: true });
  const again = await owner.call('POST', '/numbers', made);
  expect(again.body.message).toBe('The number is connected.');
  expect(await defaultsOf(owner)).toEqual([simulated.id]);
});

test('an owner chooses the default; staff and other tenants cannot', async () => {
  const { shop, owner } = await shopWithOwner();
  const [first, second] = [await connectReal(owner), await connectReal(owner)];
  const choose = (member: TestMember, id: number) =>
    member.call('PUT', `/numbers/${id}`, { default: true });
  expect(await defaultsOf(owner)).toEqual([first.data.id]);
  expect((await choose(owner, second.data.id)).body.data).toMatchObject({ default: true });
  expect(await defaultsOf(owner)).toEqual([second.data.id]);
  const staff = await signIn(app, shop, 'staff');
  const stranger = await signIn(app, await app.tenant());
  expect((await choose(staff, first.data.id)).status).toBe(403);
  expect((await choose(stranger, first.data.id)).status).toBe(404);
  expect((await choose(owner, 2 ** 40)).status).toBe(404);
  expect((await owner.call('PUT', `/numbers/${first.data.id}`, { default: false })).status).toBe(
    422,
  );
  expect(await defaultsOf(owner)).toEqual([second.data.id]);
});

test('after the default the oldest real number follows, and a simulated one only without it', async () => {
  const { owner } = await shopWithOwner();
  const simulated = (await connectSimulated(owner)).data;
  const [first, second, third] = [
    (await connectReal(owner)).data,
    (await connectReal(owner)).data,
    (await connectReal(owner)).data,
  ];
  await owner.call('PUT', `/numbers/${third.id}`, { default: true });
  const disconnect = async ({ id }: { id: number }) =>
    (await owner.call('DELETE', `/numbers/${id}`)).body.message;
  const gone = 'The number is disconnected and its secrets are deleted.';
  expect(await disconnect(third)).toBe(
    `${gone} Messages are now sent from ${first.display_phone_number ?? first.phone_number_id}.`,
  );
  expect(await disconnect(second)).toBe(gone);
  expect(await defaultsOf(owner)).toEqual([first.id]);
  await disconnect(first);
  expect(await defaultsOf(owner)).toEqual([simulated.id]);
  expect(await disconnect(simulated)).toBe(gone);
  expect(await defaultsOf(owner)).toEqual([]);
});

test('numbers of an earlier version: the oldest connected one is the default, a real one before a simulated one', async () => {
  const shop = await app.tenant({ number: false });
  const rows = [];
  for (const values of [
    { simulator: true },
    { simulator: false, disconnected: true },
    { simulator: false },
    { simulator: false },
  ]) {
    const { id } = await connectTestNumber(app, shop.id);
    await app.db.pool.query(
      `update numbers set simulator = $3, disconnected_at = case when $4 then now() end,
         is_default = false where tenant_id = $1 and id = $2`,
      [shop.id, id, values.simulator, values.disconnected ?? false],
    );
    rows.push(id);
  }
  const migration = await readFile(
    new URL('../../migrations/0011_senders.sql', import.meta.url),
    'utf8',
  );
  const [update] = /^update numbers(.*\n)+?.*;$/m.exec(migration)!;
  await app.db.pool.query('update numbers set is_default = false');
  await app.db.pool.query(update);
  const { rows: defaults } = await app.db.pool.query(
    'select id from numbers where tenant_id = $1 and is_default',
    [shop.id],
  );
  expect(defaults).toEqual([{ id: rows[2] }]);
});
