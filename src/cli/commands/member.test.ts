import { expect, test } from 'vitest';
import { cheapPasswords } from '../../../test/features/cheap-passwords.ts';
import { openSession, post, signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { memberCommands } from './member.ts';

cheapPasswords();
const app = testApp();
const { run, parley } = testCommand(app, memberCommands);
const password = 'a wholly new password';

/** Opens the link that the command printed, and returns whether it works. */
async function opens({ url }: { url: string }): Promise<boolean> {
  const secret = new URL(url).hash.slice(1);
  return (await post(app, '/auth/invitation/accept', { secret, password })).status === 200;
}

test('a new person becomes an owner, or gets the given role', async () => {
  const shop = await app.tenant();
  expect(await opens(await parley('add', shop.slug, 'first@example.com'))).toBe(true);
  const clerk = await parley('add', shop.slug, 'second@example.com', '--role', 'staff');
  expect(await opens(clerk)).toBe(true);
  const { members } = await parley('list', shop.slug);
  expect(members).toMatchObject([
    { email: 'first@example.com', role: 'owner' },
    { email: 'second@example.com', role: 'staff' },
  ]);
  await expect(run('add', shop.slug, 'third@example.com', '--role', 'boss')).rejects.toThrow(
    'must be owner or staff',
  );
});

test('a member gets a new password and keeps their role', async () => {
  const shop = await app.tenant();
  const people = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  for (const [index, role] of ['owner', 'staff'].entries()) {
    const { email } = people[index]!;
    const added = await parley('add', shop.slug, email);
    expect(added).toMatchObject({ email, role });
    expect(await opens(added)).toBe(true);
    expect(await openSession(app, email, password)).not.toBe('');
  }
  const { members } = await parley('list', shop.slug);
  expect(members.map(({ role }: { role: string }) => role)).toEqual(['owner', 'staff']);
});

test('a link does not make an owner staff', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  await expect(run('add', shop.slug, owner.email, '--role', 'staff')).rejects.toThrow(
    'cannot be staff: this person is an owner',
  );
  await expect(run('remove', shop.slug, owner.email)).rejects.toThrow('the only owner');
});

test('an invitation is listed with its expiry, and can be revoked', async () => {
  const shop = await app.tenant();
  const invited = await parley('add', shop.slug, 'New@example.com');
  expect(await parley('list', shop.slug)).toEqual({
    members: [],
    invitations: [
      {
        email: 'new@example.com',
        role: 'owner',
        created_at: expect.stringMatching(/Z$/),
        expires_at: invited.expires_at,
      },
    ],
  });
  expect(await run('list', shop.slug)).toContain(invited.expires_at);

  expect(await parley('remove', shop.slug, 'New@example.com')).toEqual({
    removed: 'new@example.com',
  });
  expect(await opens(invited)).toBe(false);
  const again = parley('remove', shop.slug, 'new@example.com');
  await expect(again).rejects.toThrow('has no member new@example.com');
});

test('a link of a removed member does not work any more', async () => {
  const shop = await app.tenant();
  const [owner, clerk] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const link = await parley('add', shop.slug, clerk.email);
  await expect(run('remove', shop.slug, owner.email)).rejects.toThrow('the only owner');
  expect(await parley('remove', shop.slug, clerk.email)).toEqual({ removed: clerk.email });
  expect(await opens(link)).toBe(false);
  const { members, invitations } = await parley('list', shop.slug);
  expect(members).toMatchObject([{ email: owner.email }]);
  expect(invitations).toEqual([]);
});

test('the tenants of an email are found, also those that have only invited it', async () => {
  const [shop, other, invites] = [await app.tenant(), await app.tenant(), await app.tenant()];
  const { email } = await signIn(app, shop);
  const joining = await parley('add', other.slug, email, '--role', 'staff');
  expect(await opens(joining)).toBe(true);
  await parley('add', invites.slug, email);
  await signIn(app, invites);
  const { memberships } = await parley('find', ` ${email.toUpperCase()}`);
  const found = memberships.map(({ tenant, role, state }: Record<string, string>) => [
    tenant,
    role,
    state,
  ]);
  expect(found.sort()).toEqual(
    [
      [shop.slug, 'owner', 'member'],
      [other.slug, 'staff', 'member'],
      [invites.slug, 'owner', 'invited'],
    ].sort(),
  );
  expect(await run('find', 'nobody@example.com')).toBe('None.\n');
});
