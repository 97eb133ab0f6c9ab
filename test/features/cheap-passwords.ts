import { afterAll, beforeAll } from 'vitest';
import { passwordCost } from '../../src/members/sign-in/passwords/passwords.ts';

/** Makes passwords cheap to hash for the tests of a file, which are about accounts and attempts. */
export function cheapPasswords(): void {
  const { N } = passwordCost;
  beforeAll(() => {
    passwordCost.N = 256;
  });
  afterAll(() => {
    passwordCost.N = N;
  });
}
