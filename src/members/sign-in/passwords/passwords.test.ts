import { verifyPassword } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { hashPassword } from './passwords.ts';

test('a hash has the cost and the format of better-auth', async () => {
  const hash = await hashPassword('correct horse', '00112233445566778899aabbccddeeff');
  expect(await verifyPassword({ hash, password: 'correct horse' })).toBe(true);
  expect(await verifyPassword({ hash, password: 'correct house' })).toBe(false);
});
