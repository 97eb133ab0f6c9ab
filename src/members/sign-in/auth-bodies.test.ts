import { expect, test } from 'vitest';
import { post, signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';

const app = testApp();
const long = 'x'.repeat(16 * 1024);

test.each([
  '/auth/sign-in/email',
  '/auth/sign-out',
  '/auth/invitation',
  '/auth/invitation/accept',
  '/auth/two-factor/verify-totp',
  '/auth/two-factor/verify-backup-code',
  '/auth/two-factor/enable',
  '/auth/change-password',
  '/auth/update-user',
])('a body of more than 16 KiB to %s is refused', async (path) => {
  const response = await post(app, path, { email: 'a@example.com', password: long });
  expect(response).toMatchObject({
    status: 400,
    body: { message: 'The body is too long. The maximum is 16 KB.' },
  });
});

test('a sign-in body with the longest password is not too long', async () => {
  const owner = await signIn(app, await app.tenant({ number: false }));
  const response = await post(app, '/auth/sign-in/email', {
    email: owner.email,
    password: 'ü'.repeat(128),
  });
  expect(response.body.message).toBe('Email or password is wrong.');
  expect((await post(app, '/auth/sign-in/email', owner)).status).toBe(200);
});
