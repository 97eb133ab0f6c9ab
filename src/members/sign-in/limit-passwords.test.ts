import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { post, sameOrigin, signIn } from '../../../test/sign-in.ts';
import { inviteMember } from '../invite-member.ts';
import { createPasswordLimit } from './limit-passwords.ts';

const app = testApp();

/** Passwords were tried already; to look at each takes a while, on purpose. */
async function tryBefore(times: number, email: string, address: string) {
  const limit = createPasswordLimit(app);
  for (let count = 0; count < times; count++) await limit.count(email, address);
}

test('a guess counts for the account signed in, whatever email is named', async () => {
  const shop = await app.tenant();
  const [owner, other] = [await signIn(app, shop), await signIn(app, shop)];
  const change = (body: object, cookie: string) =>
    post(app, '/auth/change-password', { newPassword: owner.password, ...body }, cookie);
  const wrong = 'not this one';
  await tryBefore(8, owner.email, '127.0.0.1');
  const statuses = [];
  for (let count = 0; count < 4; count++) {
    const body = { email: `nobody-${count}@example.com`, currentPassword: wrong };
    statuses.push((await change(body, owner.cookie)).status);
  }
  expect(statuses).toEqual([422, 422, 429, 429]);

  const right = { email: owner.email, currentPassword: owner.password };
  expect((await change(right, other.cookie)).status).toBe(200);
  for (const what of ['enable', 'disable', 'generate-backup-codes']) {
    const body = { email: other.email, password: owner.password };
    const answer = await post(app, `/auth/two-factor/${what}`, body, owner.cookie);
    expect(answer.status, what).toBe(429);
  }
  app.clock.offsetMs += 16 * 60_000;
  expect((await change({ currentPassword: owner.password }, owner.cookie)).status).toBe(200);
  app.clock.offsetMs = 0;
});

test('guesses by the link of an invitation count, and the right password forgets them', async () => {
  const { email, password } = await signIn(app, await app.tenant());
  const acceptAfter = async (guesses: number) => {
    const { id } = await app.tenant();
    const { url } = await inviteMember(app.services, id, { email, byOperator: false });
    const secret = new URL(url).hash.slice(1);
    await tryBefore(guesses, email.toUpperCase(), '127.0.0.1');
    return (await post(app, '/auth/invitation/accept', { secret, password })).status;
  };
  expect([await acceptAfter(9), await acceptAfter(9), await acceptAfter(10)]).toEqual([
    200, 200, 429,
  ]);
});

test('an address may try many accounts, and many addresses one, so often', async () => {
  const limit = createPasswordLimit(app);
  const refused = { kind: 'rate_limited' };
  for (let person = 0; person < 60; person++) await limit.count(`${person}@a.example`, '192.0.2.1');
  await expect(limit.count('60@a.example', '192.0.2.1')).rejects.toMatchObject(refused);
  await limit.count('60@a.example', '192.0.2.2');
  for (let from = 0; from < 200; from++) await limit.count('one@b.example', `198.51.100.${from}`);
  await expect(limit.count('one@b.example', '203.0.113.1')).rejects.toMatchObject(refused);
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
  await tryBefore(9, owner.email, '2001:db8:1:2::1');
  expect(await guess('2001:db8:1:2::2')).toBe(401);
  expect(await guess('2001:db8:1:2::3')).toBe(429);
  expect(await guess('2001:db8:1:3::1')).toBe(401);
});
