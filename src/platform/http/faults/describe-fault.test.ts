import { expect, test } from 'vitest';
import { signIn } from '../../../../test/features/sign-in.ts';
import { testStore } from '../../../../test/features/stores.ts';
import { testApp } from '../../../../test/program/app.ts';

const app = testApp();

test('a field that takes several objects names the fields of each', async () => {
  const shop = await app.tenant({ number: false });
  const { id } = await testStore(app, shop);
  const owner = await signIn(app, shop);
  const objects = 'must be an object (type, name, value)';
  for (const authentication of [7, { type: 'header' }]) {
    const changed = await owner.call('PUT', `/stores/${id}/keys`, { authentication });
    expect(changed.status).toBe(422);
    expect(changed.body.errors).toEqual({
      authentication: [`${objects}, an object (type, username, password) or null`],
    });
  }
  const created = await owner.call('POST', '/stores', {
    name: 'Shop',
    platform: 'custom',
    authentication: 7,
  });
  expect(created.body.errors).toEqual({
    authentication: [`${objects} or an object (type, username, password)`],
  });
});
