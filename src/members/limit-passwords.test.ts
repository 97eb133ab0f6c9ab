import { expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import { post, sameOrigin, signIn } from '../../test/sign-in.ts';

const app = testApp();

test('a guess counts for the account signed in, whatever email is named', async () => {
  const shop = await app.tenant();
  const [owner, other] = [await signIn(app, shop), await signIn(app, shop)];
  const change = (body: object, cookie: string) =>
    post(app, '/auth/change-password', { newPassword: owner.password, ...body }, cookie);
  const wrong = 'not this one';
  const statuses = [];
  for (let count = 0; count < 12; count++) {
    const body = { email: `nobody-${count}@example.com`, currentPassword: wrong };
    statuses.push((await change(body, owner.cookie)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);

  const right = { email: owner.email, currentPassword: owner.password };
  expect((await change(right, other.cookie)).status).toBe(200);
  for (const path of ['/auth/two-factor/enable', '/auth/two-factor/disable']) {
    const body = { email: other.email, password: owner.password };
    expect((await post(app, path, body, owner.cookie)).status, path).toBe(429);
  }
  app.clock.offsetMs += 16 * 60_000;
  expect((await change({ currentPassword: owner.password }, owner.cookie)).status).toBe(200);
  app.clock.offsetMs = 0;
});

test('the guesses of an IPv6 client count by its /64', async () => {
  const owner = await signIn(app, await app.tenant());
  const guess = async (remoteAddress: string) => {
    const { email } = owner;
    const payload = { email, password: 'not this one' };
    const url = '/auth/sign-in/email';
    return (
      await app.app.inject({ method: 'POST', url, headers: sameOrigin, payload, remoteAddress })
    ).statusCode;
  };
  const statuses = [];
  for (let count = 1; count <= 11; count++) statuses.push(await guess(`2001:db8:1:2::${count}`));
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  expect(await guess('2001:db8:1:3::1')).toBe(401);
});
