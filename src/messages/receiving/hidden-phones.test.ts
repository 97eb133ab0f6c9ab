import { createHmac } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { openLiveStream } from '../../../test/features/live-stream.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';

const app = testApp();
/** The number of phones that a notification can list. */
const writers = 30;

test('messages of users with long ids are stored and reported to a watching dashboard', async () => {
  const shop = await app.tenant();
  const { events } = await openLiveStream(app, shop, await signIn(app, shop));
  const messages = Array.from({ length: writers }, (_, n) => ({
    id: `wamid.${n}`,
    from_user_id: `${'你'.repeat(190)}${n}`,
    type: 'text',
    text: { body: 'Hello' },
  }));
  const { status } = await report(shop, { messages });
  expect(status).toBe(200);
  const { rows } = await app.db.query<{ count: number }>(sql`
    select count(*) from stored_messages where tenant_id = ${shop.id} and direction = 'in'`);
  expect(rows).toEqual([{ count: writers }]);
  // The first event is sent when the stream opens.
  await eventually(async () => events().length > 1);
});

/** Posts a callback of the network for the number of a tenant. */
async function report(shop: TestTenant, reported: object) {
  const { phone_number_id } = shop.number;
  const { app_secret: secret } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id,
  });
  const value = { metadata: { phone_number_id }, ...reported };
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return call(app, 'POST', `/whatsapp/callbacks/${shop.number.callback_id}`, body, {
    'x-hub-signature-256': `sha256=${signature}`,
  });
}
