import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';

const app = testApp();
const userId = 'US.7712ask01';
const contactRequest = {
  phone_number: userId,
  interactive: { type: 'request_contact_info', body: { text: 'May we have your number?' } },
};

test('a person who is asked for the phone shares it, and the contact gets it', async () => {
  const shop = await app.tenant();
  const { phone_number_id } = shop.number;
  await control(app, 'POST', '/simulator/phones', { phone: '14155557001', name: 'Ana' });
  const hidden = { username: 'ana.7001', hidden: true };
  const { user_id } = await control(app, 'PATCH', '/simulator/phones/14155557001', hidden);
  const from = '14155557001';
  await control(app, 'POST', '/simulator/inbound', { phone_number_id, from, text: 'Hi' });
  const contact = async () => (await shop.call('GET', '/contacts')).body.data[0];
  await eventually(async () => (await contact()) !== undefined);
  expect(await contact()).toMatchObject({ user_id, phone: null });

  const sent = await shop.call('POST', '/messages/interactive', {
    ...contactRequest,
    phone_number: user_id,
  });
  expect(sent).toMatchObject({ status: 200, body: { data: { status: 'sent' } } });
  const { chats } = await control(app, 'GET', '/simulator/phones/14155557001/chats');
  expect(chats[0].messages.at(-1)).toMatchObject({
    type: 'interactive',
    payload: {
      interactive: { ...contactRequest.interactive, action: { name: 'request_contact_info' } },
    },
  });

  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id,
    from,
    type: 'contacts',
    contacts: [{ origin: 'contact_request', phones: [{ phone: '+14155557001', wa_id: from }] }],
  });
  await eventually(async () => (await contact()).phone === '+14155557001');
});

test.each<[string, object, object]>([
  [
    'another type',
    { type: 'flow' },
    { 'interactive.type': ['must be one of request_contact_info'] },
  ],
  [
    'a text of spaces',
    { body: { text: '  ' } },
    { 'interactive.body.text': ['must have 1 to 1,024 characters, and not only spaces'] },
  ],
  [
    'a text of 1,025 characters',
    { body: { text: 'x'.repeat(1_025) } },
    { 'interactive.body.text': ['must have 1 to 1,024 characters, and not only spaces'] },
  ],
  ['no body', { body: undefined }, { 'interactive.body': ['is required'] }],
])('422 for %s', async (_, change, errors) => {
  const shop = await app.tenant();
  const interactive = { ...contactRequest.interactive, ...change };
  const response = await shop.call('POST', '/messages/interactive', {
    ...contactRequest,
    interactive,
  });
  expect(response).toMatchObject({ status: 422, body: { errors } });
});

test('needs messages:text', async () => {
  const shop = await app.tenant({ abilities: ['messages:media'] });
  const response = await shop.call('POST', '/messages/interactive', contactRequest);
  expect(response.status).toBe(403);
});
