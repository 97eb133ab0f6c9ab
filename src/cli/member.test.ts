import { expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import { testCommand } from '../../test/command.ts';
import { openSession, post, signIn } from '../../test/sign-in.ts';
import { memberCommands } from './member.ts';

const app = testApp();
const { run, parley } = testCommand(app, memberCommands);
const password = 'a wholly new password';

/** Follows the link that the command printed. */
async function follow({ url }: { url: string }) {
  const secret = new URL(url).hash.slice(1);
  expect((await post(app, '/auth/invitation/accept', { secret, password })).status).toBe(200);
}

test('a new person becomes owner, or what is said', async () => {
  const shop = await app.tenant();
  await follow(await parley('add', shop.slug, 'first@example.com'));
  await follow(await parley('add', shop.slug, 'second@example.com', '--role', 'staff'));
  const { members } = await parley('list', shop.slug);
  expect(members).toMatchObject([
    { email: 'first@example.com', role: 'owner' },
    { email: 'second@example.com', role: 'staff' },
  ]);
  await expect(run('add', shop.slug, 'third@example.com', '--role', 'boss')).rejects.toThrow(
    'must be owner or staff',
  );
});

test('a member gets a new password and stays what they are', async () => {
  const shop = await app.tenant();
  const people = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  for (const [index, role] of ['owner', 'staff'].entries()) {
    const { email } = people[index]!;
    const added = await parley('add', shop.slug, email);
    expect(added).toMatchObject({ email, role });
    await follow(added);
    expect(await openSession(app, email, password)).not.toBe('');
  }
  const { members } = await parley('list', shop.slug);
  expect(members.map(({ role }: { role: string }) => role)).toEqual(['owner', 'staff']);
});

test('an owner does not become staff by a link', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await expect(run('add', shop.slug, owner.email, '--role', 'staff')).rejects.toThrow(
    'cannot be staff: this person is an owner',
  );
  await expect(run('remove', shop.slug, owner.email)).rejects.toThrow('the only owner');
});
