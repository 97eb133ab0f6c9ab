import { describe, expect, test } from 'vitest';
import { signIn, type TestMember } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';

const app = testApp();
const noStatus = { status_id: ['must be the id of an existing status'] };
const noGroups = { group_ids: ['must be ids of existing groups'] };
const badEmail = { email: ['must be an email address'] };
const takenPhone = { phone: ['already belongs to another contact'] };
const takenName = { name: ['is already taken'] };
const badColor = { color: [expect.stringContaining('#22c55e')] };

const ann = { firstname: 'Ann', phone: '+14155550101' };

async function shopWithAnn() {
  const shop = await app.tenant({ number: false });
  const { id } = (await shop.call('POST', '/contacts', ann)).body.data;
  return { shop, id };
}

async function errors(
  { call }: TestTenant | TestMember,
  method: string,
  path: string,
  body: object,
) {
  const response = await call(method, path, body);
  expect(response.status).toBe(422);
  return response.body.errors;
}

describe('all faults of a contact are reported together', () => {
  test.each([
    [
      { ...ann, status_id: 999 },
      { ...noStatus, ...takenPhone },
    ],
    [
      { phone: '+14155550102', status_id: 999, email: 'x' },
      { firstname: ['is required'], ...noStatus, ...badEmail },
    ],
    [
      { ...ann, email: 'x' },
      { ...badEmail, ...takenPhone },
    ],
    [
      { ...ann, lastname: 5, group_ids: [999], status_id: 'x' },
      {
        lastname: ['must be a string or null'],
        status_id: expect.any(Array),
        ...noGroups,
        ...takenPhone,
      },
    ],
    // A field that its schema refuses is not checked in the database.
    [
      { ...ann, phone: '0', group_ids: ['x'] },
      { phone: expect.any(Array), ...noGroups },
    ],
  ])('when it is created: %j', async (body, faults) => {
    const { shop } = await shopWithAnn();
    expect(await errors(shop, 'POST', '/contacts', body)).toEqual(faults);
    const owner = await signIn(app, shop);
    expect(await errors(owner, 'POST', '/contacts', body)).toEqual(faults);
  });

  test('when it is changed', async () => {
    const { shop, id } = await shopWithAnn();
    const bob = { firstname: 'Bob', phone: '+14155550102' };
    await shop.call('POST', '/contacts', bob);
    const wrong = { phone: bob.phone, email: 'x', status_id: 999, group_ids: [999] };
    const all = { ...badEmail, ...noStatus, ...noGroups, ...takenPhone };
    expect(await errors(shop, 'PUT', `/contacts/${id}`, wrong)).toEqual(all);
    // Its own phone does not count as taken, nor does a phone of another tenant's contact.
    const own = { phone: ann.phone, email: 'x' };
    expect(await errors(shop, 'PUT', `/contacts/${id}`, own)).toEqual(badEmail);
    const other = await app.tenant({ number: false });
    expect(await errors(other, 'POST', '/contacts', { ...bob, email: 'x' })).toEqual(badEmail);
  });

  test('only after the limits and the ability', async () => {
    const shop = await app.tenant({ number: false, plan: 'starter', abilities: ['groups:read'] });
    const refused = await shop.call('POST', '/contacts', { status_id: 999 });
    expect([refused.status, refused.body.errors]).toEqual([403, {}]);
    const busy = await app.tenant({ number: false, plan: 'starter' });
    await moveToFreshMinute(app);
    await Promise.all(Array.from({ length: 60 }, () => busy.call('GET', '/groups')));
    const limited = await busy.call('POST', '/contacts', { status_id: 999 });
    expect([limited.status, limited.body.errors]).toEqual([429, {}]);
  });
});

describe.each(['statuses', 'sources', 'groups'])(
  'all faults of %s are reported together',
  (kind) => {
    test('when one is created or changed', async () => {
      const shop = await app.tenant({ number: false });
      const label = async (name: string) =>
        (await shop.call('POST', `/${kind}`, { name })).body.data.id as number;
      const [hot] = [await label('Hot'), await label('Cold')];
      const wrong = { description: 5, color: 'green' };
      const faults = {
        description: ['must be a string or null'],
        ...(kind === 'statuses' ? badColor : {}),
      };
      const taken = { ...faults, ...takenName };
      expect(await errors(shop, 'POST', `/${kind}`, { name: ' HOT ', ...wrong })).toEqual(taken);
      const path = `/${kind}/${hot}`;
      expect(await errors(shop, 'PUT', path, { name: 'COLD', ...wrong })).toEqual(taken);
      expect(await errors(shop, 'PUT', path, { name: 'HOT', ...wrong })).toEqual(faults);
    });
  },
);

describe('a PUT of a record that does not exist', () => {
  test.each([
    ['contacts', { email: 'x' }, badEmail],
    ['contacts', { status_id: 999 }, noStatus],
    ['contacts', { phone: ann.phone }, takenPhone],
    ['statuses', { color: 'green' }, badColor],
    ['statuses', { name: 'hot' }, takenName],
    ['sources', { name: 'hot' }, takenName],
    ['groups', { name: 'hot' }, takenName],
  ])('of %s is 422 for a wrong body, and 404 for a valid one: %j', async (kind, body, faults) => {
    const { shop } = await shopWithAnn();
    if (kind !== 'contacts') await shop.call('POST', `/${kind}`, { name: 'Hot' });
    for (const id of ['999999999', 'x']) {
      expect(await errors(shop, 'PUT', `/${kind}/${id}`, body)).toEqual(faults);
      const valid = kind === 'contacts' ? { phone: '+14155550199' } : { name: 'New' };
      expect((await shop.call('PUT', `/${kind}/${id}`, valid)).status).toBe(404);
    }
  });
});
