import { expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import { signIn } from '../../test/sign-in.ts';

const app = testApp();

/** Ways to write a number that are not the way an id is written. */
const spellingsOf = (id: number) => [
  `0x${id.toString(16)}`,
  `%20${id}`,
  `${id}%0a`,
  `0${id}`,
  `+${id}`,
  `${id}.0`,
  `${id}e0`,
  '1e21',
  '9'.repeat(30),
];

test('an id in a path is its digits and nothing else', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const made = await owner.call('POST', '/tokens', { name: 'x', abilities: ['all'] });
  const invite = { email: 'friend@example.com', role: 'staff' };
  const invited = await owner.call('POST', '/members/invitations', invite);
  for (const id of spellingsOf(made.body.data.token.id)) {
    expect((await owner.call('POST', `/tokens/${id}/revoke`)).status, id).toBe(404);
  }
  for (const id of spellingsOf(invited.body.data.invitation.id)) {
    expect((await owner.call('DELETE', `/members/invitations/${id}`)).status, id).toBe(404);
  }
  const { tokens } = (await owner.call('GET', '/api-settings')).body.data;
  expect(tokens.at(-1)).toMatchObject({ name: 'x', state: 'pending' });
  expect((await owner.call('GET', '/members')).body.data.invitations).toHaveLength(1);
});

test('a token to be activated is named by an id that can be one', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  for (const id of [1e21, 0, -1, 1.5, '1', null]) {
    const saved = await owner.call('PUT', '/api-settings', { api_access: false, activate: [id] });
    expect(saved.status, String(id)).toBe(422);
    expect(saved.body.errors).toHaveProperty('activate');
  }
  expect((await owner.call('GET', '/api-settings')).body.data.api_access).toBe(true);
});
