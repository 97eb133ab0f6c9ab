import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { sameOrigin, signIn } from '../../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';

const app = testApp();
/** The number of phones that a notification can list. */
const writers = 30;

test('messages of users with long ids are stored and reported to a watching dashboard', async () => {
  const shop = await app.tenant();
  const events = await openLive(shop);
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

/** Opens the dashboard's stream of changes, and returns a function that lists the events so far. */
async function openLive(shop: TestTenant): Promise<() => string[]> {
  const { cookie } = await signIn(app, shop);
  const request = get(`${app.url}/dashboard-api/${shop.slug}/live`, {
    agent: false,
    headers: { ...sameOrigin, cookie },
  }).on('error', () => {});
  onTestFinished(() => void request.destroy());
  const [response] = await once(request, 'response');
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  const events = () => text.split('\n').filter((line) => line.startsWith('data:'));
  await eventually(async () => events().length === 1);
  return events;
}

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
