import { expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import { testCommand } from '../../test/command.ts';
import { tenantCommands } from './tenant.ts';

const app = testApp();
const { run, parley } = testCommand(app, tenantCommands);

test('unknown phones that write become contacts until the tenant says no', async () => {
  const shop = await app.tenant({ number: false });
  expect((await parley('show', shop.slug)).tenant.contacts_from_inbound).toBe(true);
  const { tenant } = await parley('set-inbound-contacts', shop.slug, 'off');
  expect(tenant).toMatchObject({ slug: shop.slug, contacts_from_inbound: false });
  expect(await run('show', shop.slug)).toContain(
    'An unknown phone that writes becomes no contact.',
  );
  expect(await run('set-inbound-contacts', shop.slug, 'on')).toContain('becomes a contact');
  expect((await parley('list')).tenants).toMatchObject([{ contacts_from_inbound: true }]);
  await expect(run('set-inbound-contacts', shop.slug, 'maybe')).rejects.toThrow('on, off');
});

test('a tenant takes one line of the list, whatever its name was when more was taken', async () => {
  await app.db.pool.query('delete from tenants');
  const name = 'Acme\nevil  Evil Ltd\u001b[8m';
  await parley('create', 'acme', '--name', 'Acme');
  await app.db.pool.query('update tenants set name = $1', [name]);
  expect((await parley('list')).tenants).toMatchObject([{ name }]);
  expect(await run('list')).toMatch(
    /^SLUG .*\nacme +Acme evil Evil Ltd\ufffd\[8m +starter +off.*\n$/,
  );
});
