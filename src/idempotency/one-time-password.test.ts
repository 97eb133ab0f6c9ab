import { expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { showsCode } from '../../test/checks/shows-code.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import { onThePhone } from '../../test/servers/phone.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';

const app = testApp();
const login = {
  phone_number: '+14155550123',
  template_name: 'login_code',
  template_language: 'en_US',
};
const withKey = { 'idempotency-key': 'login-7' };
const otpNotStored =
  'The network accepted the message. The one-time password is not stored. To verify the person, send another one with a new Idempotency-Key.';

async function shopWithTemplates(): Promise<TestTenant> {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  return shop;
}

async function phoneShows(shop: TestTenant): Promise<string[]> {
  const messages = await onThePhone(app, shop);
  return messages.map((each: { rendered: { body: string } }) => each.rendered.body);
}

test('a generated one-time password is in the first response only, and in one message', async () => {
  const shop = await shopWithTemplates();
  const body = { ...login, auto_generate_otp: true };
  const first = await shop.call('POST', '/messages/template', body, withKey);
  const again = await shop.call('POST', '/messages/template', body, withKey);
  const { otp, ...rest } = first.body.data;
  expect(otp).toMatch(/^\d{6}$/);
  expect(again.body).toEqual({ success: true, message: otpNotStored, data: rest });
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(await phoneShows(shop)).toEqual([expect.stringContaining(otp)]);

  await app.db.pool.query(
    `update idempotency_keys set answer = null, held_until = created_at + interval '1 ms'
     where tenant_id = $1`,
    [shop.id],
  );
  const found = await shop.call('POST', '/messages/template', body, withKey);
  expect(found.body).toEqual({ success: true, message: otpNotStored, data: rest });
});

test('the retry of a send with a lost response has no one-time password, and says what to do', async () => {
  const shop = await shopWithTemplates();
  const body = { ...login, auto_generate_otp: true };
  const send = () => shop.call('POST', '/messages/template', body, withKey);
  await misbehave(app, shop, { answer: 'drop-after-accept', stepMs: 1, count: 1 });
  const lost = await send();
  expect([lost.status, lost.body.code]).toEqual([500, 'outcome_unknown']);
  await eventually(async () => (await send()).status === 200);
  const { message, data } = (await send()).body;
  expect(message).toBe(otpNotStored);
  expect(data).not.toHaveProperty('otp');
  expect(await phoneShows(shop)).toHaveLength(1);
});

test('no one-time password is in the database, whether generated or given by the caller', async () => {
  const shop = await shopWithTemplates();
  const generated = await shop.call(
    'POST',
    '/messages/template',
    { ...login, auto_generate_otp: true },
    withKey,
  );
  const given = await shop.call(
    'POST',
    '/messages/template',
    { ...login, field_1: '918273' },
    { 'idempotency-key': 'login-8' },
  );
  expect([generated.status, given.status]).toEqual([200, 200]);
  const { rows } = await app.db.pool.query<{ text: string }>(
    `select (stored.*)::text as text from idempotency_keys stored where tenant_id = $1
     union all select (stored_messages.*)::text from stored_messages where tenant_id = $1`,
    [shop.id],
  );
  expect(rows).toHaveLength(4);
  for (const { text } of rows) {
    expect(showsCode(text, generated.body.data.otp), text).toBe(false);
    expect(showsCode(text, '918273'), text).toBe(false);
  }
});
