import { createHmac } from 'node:crypto';
import { call, type TestApp, type TestResponse, type TestTenant } from '../program/app.ts';
import { control } from '../servers/control.ts';

/** Posts a signed callback of the network for the number of a tenant. */
export async function postCallback(
  app: TestApp,
  shop: TestTenant,
  reported: object,
): Promise<TestResponse> {
  const { phone_number_id, callback_id } = shop.number;
  const { app_secret: secret } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id,
  });
  const value = { metadata: { phone_number_id }, ...reported };
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return call(app, 'POST', `/whatsapp/callbacks/${callback_id}`, body, {
    'x-hub-signature-256': `sha256=${signature}`,
  });
}
