import { expect, test } from 'vitest';
import { call, testApp } from '../../../test/app.ts';
import { sameOrigin, signIn } from '../../../test/sign-in.ts';

const app = testApp();

test('only a CSV file is taken for an import', async () => {
  const shop = await app.tenant({ number: false });
  const { cookie, call: ask } = await signIn(app, shop);
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`;
  for (const body of [undefined, {}, ['name,phone'], 'name,phone']) {
    const answer = await ask('POST', '/contacts/imports?filename=people.csv', body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/Content-Type: text\/csv/);
  }
  expect((await ask('GET', '/contacts/imports')).body.data).toEqual([]);

  const headers = { ...sameOrigin, cookie, 'content-type': 'text/csv' };
  const taken = await call(app, 'POST', path, 'name,phone\nAnn,+14155557001\n', headers);
  expect(taken.status).toBe(200);
});
