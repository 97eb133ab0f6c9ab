import { expect, test } from 'vitest';
import { startTestSimulator } from '../../../../test/servers/simulator.ts';

const link = 'https://files.example.com/a';

test.each([
  { type: 'text', text: { body: 'Hi', preview_url: true } },
  { type: 'image', image: { link, caption: 'A view' } },
  { type: 'video', video: { link } },
  { type: 'audio', audio: { link } },
  { type: 'document', document: { link, filename: 'a.pdf', caption: 'Your bill' } },
  { type: 'sticker', sticker: { link } },
  { type: 'location', location: { latitude: '52.5', longitude: 13.4, name: 'Here' } },
  { type: 'contacts', contacts: [{ name: { formatted_name: 'Ann Lee' }, phones: [] }] },
  { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
  {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: 'Well?' },
      action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
    },
  },
])('a message of type $type is accepted and stored unchanged', async (message) => {
  const network = await startTestSimulator();
  const { status } = await network.send({ text: undefined, ...message });
  expect(status).toBe(200);
  expect((await network.messages())[0]).toMatchObject({ type: message.type, payload: message });
});

const interactive = (action: object) => ({
  type: 'interactive',
  interactive: { type: 'button', body: { text: 'Well?' }, action },
});

test.each([
  ['no product', { messaging_product: undefined }, 'The parameter messaging_product is required.'],
  ['another product', { messaging_product: 'sms' }, 'one of {WHATSAPP} - got "sms"'],
  ['no recipient', { to: undefined }, 'The parameter to is required.'],
  ['an unknown type', { type: 'fax' }, 'Param type must be one of'],
  ['no text', { text: undefined }, 'The parameter text is required.'],
  ['an empty text', { text: { body: '' } }, "text['body'] must be at least 1 characters long."],
  ['a long text', { text: { body: 'x'.repeat(4097) } }, 'must be at most 4096 characters long.'],
  ['a text that is a number', { text: { body: 7 } }, "Param text['body'] must be a string."],
  [
    'an unknown key',
    { text: { body: 'Hi', bold: true } },
    'Unexpected key "bold" on param "text".',
  ],
  [
    'a template component that is null',
    {
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' }, components: [null] },
    },
    "The parameter template['components'][0]['type'] is required.",
  ],
  [
    'a button that is null',
    interactive({ buttons: [null] }),
    "The parameter interactive['action']['buttons']['reply'] is required.",
  ],
  ['a bad link', { type: 'image', image: { link: 'ftp://x' } }, 'is not a valid URI.'],
  [
    'a caption on audio',
    { type: 'audio', audio: { link, caption: 'x' } },
    'Unexpected key "caption"',
  ],
  [
    'a long caption',
    { type: 'image', image: { link, caption: 'x'.repeat(1025) } },
    'must be at most 1024 characters long.',
  ],
  ['a long tracking text', { biz_opaque_callback_data: 'x'.repeat(513) }, 'at most 512'],
  ['no latitude', { type: 'location', location: { longitude: 1 } }, "location['latitude'] is"],
])("%s is rejected with code 100 and the network's message", async (_name, fields, message) => {
  const network = await startTestSimulator();
  const { status, body } = await network.send(fields);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 100, type: 'OAuthException' });
  expect(body.error.message).toContain(message);
  expect(await network.messages()).toEqual([]);
});

test.each([
  ['a phone with letters', { to: 'Anna' }, 131009, 'The phone number is malformed'],
  ['neither id nor link', { type: 'image', image: {} }, 131008, "['id'] and image['link']"],
  ['both id and link', { type: 'image', image: { id: '1', link } }, 131009, 'Exactly one'],
  ['an unknown media id', { type: 'image', image: { id: '1' } }, 131009, 'Media ID 1'],
  ['four buttons', interactive({ buttons: [1, 2, 3, 4] }), 131009, 'Invalid buttons count'],
  [
    'a long button title',
    interactive({ buttons: [{ reply: { id: 'a', title: 'x'.repeat(21) } }] }),
    131009,
    'Button title length invalid',
  ],
  [
    'a location off the globe',
    { type: 'location', location: { latitude: 91, longitude: 1 } },
    131009,
    'range',
  ],
])('%s is rejected with its own code', async (_name, fields, code, details) => {
  const network = await startTestSimulator();
  const { status, body } = await network.send(fields);
  expect(status).toBe(400);
  expect(body.error.code).toBe(code);
  expect(body.error.error_data.details).toContain(details);
});

test('a number cannot send to itself', async () => {
  const network = await startTestSimulator();
  const { body } = await network.send({ to: network.number.display_phone_number });
  expect(body.error.code).toBe(131021);
});

test('a body that is not JSON is rejected without a server error, after a wrong token', async () => {
  const network = await startTestSimulator();
  const post = (token: string) =>
    fetch(`${network.url}/v25.0/${network.number.phone_number_id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"messaging_product":',
    });
  const response = await post(network.number.access_token);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 100 } });
  const forged = await post('EAAforged');
  expect(forged.status).toBe(401);
  expect(await forged.json()).toMatchObject({ error: { code: 190 } });
});
