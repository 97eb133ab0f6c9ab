import { expect, test } from 'vitest';
import { isOwnPage } from '../../web/dashboard/src/features/members/sign-in/is-own-page.ts';

test.each([
  ['/t/shop/contacts?q=ada', true],
  ['/account', true],
  ['https://parley.example/t/shop', true],
  ['/sign-in?next=%2F', false],
  ['//elsewhere.example/', false],
  ['/\t/elsewhere.example/', false],
  ['/\\elsewhere.example/', false],
  ['https://elsewhere.example/', false],
  ['javascript:alert(1)', false],
  [['/account'], false],
  [undefined, false],
])('a sign-in may lead to %j: %s', (address, isAllowed) => {
  expect(isOwnPage(address, 'https://parley.example')).toBe(isAllowed);
});
