import { expect, test } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { auditCommand } from './audit.ts';

const app = testApp();
const ada = { firstname: 'Ada', phone: '+14155550123' };
const { run, parley } = testCommand(app, auditCommand);

test('the command lists who changed what, newest first, of one tenant, action and time', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop, 'owner', 'Olga');
  await app.tenant();
  const { id } = (await shop.call('POST', '/groups', { name: 'VIP' })).body.data;
  const { id: contactId } = (await shop.call('POST', '/contacts', ada)).body.data;
  await owner.call('POST', '/contacts/assign', { ids: [contactId], add_group_id: id });
  await shop.call('DELETE', `/groups/${id}`);
  await owner.call('PUT', '/api-settings', { api_access: false, activate: [] });
  const { entries } = await parley(shop.slug);
  expect(entries).toMatchObject([
    {
      action: 'tenant.changed',
      actor: { kind: 'member', id: owner.userId, name: 'Olga', email: owner.email },
      subject: null,
      changes: [{ field: 'api_access', before: true, after: false }],
    },
    {
      action: 'label.deleted',
      actor: { kind: 'token', id: String(shop.tokenId), name: 'test', email: null },
      subject: { id: String(id), name: 'VIP' },
    },
    {
      action: 'contacts.changed',
      changes: [
        { field: 'add_group_id', after: id, after_name: 'VIP' },
        { field: 'contacts', after: 1 },
      ],
    },
    { action: 'number.connected', actor: { kind: 'system', id: null, name: null } },
    { action: 'tenant.changed' },
    { action: 'token.created', subject: { name: 'test' } },
    { action: 'tenant.created' },
  ]);
  const [line, , assigned] = (await run(shop.slug)).split('\n').slice(1);
  expect(line).toContain(`Olga <${owner.email}>`);
  expect(line).toContain('api_access: true → false');
  expect(assigned).toContain('add_group_id: VIP, contacts: 1');

  const listed = async (...args: string[]) => (await parley(shop.slug, ...args)).entries;
  expect(await listed('--limit', '1')).toEqual(entries.slice(0, 1));
  expect(await listed('--action', 'label.deleted')).toEqual([entries[1]]);
  expect(await listed('--action', 'tenant.*', '--limit', '1')).toEqual([entries[0]]);
  expect(await listed('--since', entries[1].at)).toEqual(entries.slice(0, 2));
  expect(await listed('--until', entries[1].at)).toEqual(entries.slice(2));
  await expect(run(shop.slug, '--action', 'token.lost')).rejects.toThrow('token.revoked');
  await expect(run('nobody')).rejects.toThrow('There is no tenant "nobody"');
});
