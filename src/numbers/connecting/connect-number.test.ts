import { expect, test } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { createNumberFinder } from '../find-number.ts';

const app = testApp();
const given = {
  phone_number_id: '106540352242922',
  business_account_id: '102290129340398',
  access_token: 'EAAtoken',
  app_secret: 'secret',
};

test.each(['abc', '10654_0352242922', '1065 4035', ''])(
  'an id has digits only, so "%s" is refused',
  async (id) => {
    const shop = await app.tenant({ number: false });
    const member = await signIn(app, shop);
    const wrong = { ...given, phone_number_id: id, business_account_id: id };
    const notAnId = ['must be an id: digits only, without spaces'];
    expect(await member.call('POST', '/numbers', wrong)).toMatchObject({
      status: 422,
      body: { errors: { phone_number_id: notAnId, business_account_id: notAnId } },
    });
    expect((await member.call('POST', '/numbers', given)).status).toBe(200);
  },
);

test('a number whose access token is refused says so in one sentence, until it gets a new one', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    access_token: 'EAAchanged',
  });
  const { body } = await member.call('POST', `/numbers/${shop.number.id}/verify`, {});
  const sentence =
    /^The network refused the access token of this number: .*[^.] \(network code 190\)\.$/;
  expect(body.data).toMatchObject({
    state: 'does_not_work',
    checks: expect.arrayContaining([
      expect.objectContaining({
        name: 'token',
        ok: false,
        found: expect.stringMatching(sentence),
        fix: expect.anything(),
      }),
    ]),
  });
  expect(body.message).toBe(`The number does not work: ${body.data.faults[0].found}`);

  const { phone_number_id, business_account_id } = shop.number;
  const again = { ...given, phone_number_id, business_account_id };
  const connected = (
    await member.call('POST', '/numbers', { ...again, access_token: 'EAAchanged' })
  ).body;
  expect(connected.data.faults.map(({ name }: { name: string }) => name)).not.toContain('token');
});

test('the phone of a number is fetched from the network', async () => {
  const shop = await app.tenant();
  const phone = async () => {
    const [number] = await createNumberFinder(app.services).connected(shop.id);
    return number!.displayPhoneNumber;
  };
  // Like a number that was connected with its ids and secrets only.
  await app.db.pool.query('update numbers set display_phone_number = null where tenant_id = $1', [
    shop.id,
  ]);
  await syncTemplates(app.services, shop.id);
  expect(await phone()).toBe(shop.number.display_phone_number);
});
