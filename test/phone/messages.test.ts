import { expect, test } from 'vitest';
import { eventuallyHolds } from '../checks/eventually.ts';
import type { TestSimulator } from '../servers/simulator.ts';
import { axeProblems, phone, testPhones } from './open-phone.ts';

const phones = testPhones();

test('a list shows its rows, and the chosen one is the reply', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const row = { id: 'b', title: 'Bern', description: 'By train' };
  const interactive = {
    type: 'list',
    body: { text: 'Where to?' },
    action: {
      button: 'Cities',
      sections: [{ title: 'Switzerland', rows: [{ id: 'a', title: 'Aarau' }, row] }],
    },
  };
  const sent = await network.send({ type: 'interactive', text: undefined, interactive });
  await page.getByRole('button', { name: 'Cities' }).click();
  await page.getByRole('dialog').getByText('Switzerland').waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Bern By train' }).click();
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()).toMatchObject([
      {
        interactive: { type: 'list_reply', list_reply: row },
        context: { id: sent.body.messages[0].id },
      },
    ]),
  );
  const reply = page.getByRole('article').filter({ hasText: 'By train' });
  await reply.getByRole('button', { name: 'Where to?' }).waitFor();
});

test('reply buttons, a reply with a quote and a reaction that is taken back reach the business', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const reply = { id: 'yes', title: 'Yes, please' };
  const interactive = {
    type: 'button',
    body: { text: 'Gift wrap?' },
    action: { buttons: [{ type: 'reply', reply }] },
  };
  const sent = await network.send({ type: 'interactive', text: undefined, interactive });
  const id = sent.body.messages[0].id;
  await page.getByRole('button', { name: 'Yes, please' }).click();
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));

  const question = page.getByRole('article').first();
  await question.hover();
  await question.getByRole('button', { name: 'Reply', exact: true }).click();
  const field = page.getByLabel('Write a message');
  await field.press('Escape');
  await page.getByRole('button', { name: 'Remove quote' }).waitFor({ state: 'detached' });
  await question.hover();
  await question.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.getByRole('button', { name: 'Insert an emoji' }).click();
  await page.getByRole('button', { name: '🎁' }).click();
  await field.press('Enter');
  await page.getByRole('article').getByText('🎁').waitFor();

  for (const _ of ['given', 'taken back']) {
    await question.hover();
    await question.getByRole('button', { name: 'React', exact: true }).click();
    await page.getByRole('button', { name: '🙏' }).click();
  }
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()).toMatchObject([
      { interactive: { type: 'button_reply', button_reply: reply }, context: { id } },
      { text: { body: '🎁' }, context: { id } },
      { reaction: { message_id: id, emoji: '🙏' } },
      { reaction: { message_id: id, emoji: '' } },
    ]),
  );
  await question.getByText('You: 🙏').waitFor({ state: 'detached' });
});

test('cells of a spreadsheet are pasted as text, not as their picture', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await page.getByLabel('Write a message').focus();
  const isText = await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.items.add('Blue one\t19.90', 'text/plain');
    clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
    );
  }`);
  expect(isText).toBe(true);
});

test('an image is enlarged by a click, and a file that is not there shows its address', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await page.getByRole('button', { name: /Send a photo/ }).click();
  await page.getByRole('menuitem', { name: 'Sample photo' }).click();
  await page.getByRole('link', { name: 'Enlarge: Photo' }).click();
  await page.getByRole('dialog', { name: 'Photo' }).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const link = 'http://127.0.0.1:9/none.png';
  await network.send({ type: 'image', text: undefined, image: { link } });
  await page.getByRole('link', { name: link }).waitFor();
});

test('a photo, a voice message and a location reply to the quoted message', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const sent = await network.send({ text: { body: 'Where does it hurt?' } });
  const quote = async () => {
    const question = page.getByRole('article').first();
    await question.hover();
    await question.getByRole('button', { name: 'Reply', exact: true }).click();
  };
  const endOfQuote = () => page.getByRole('button', { name: 'Remove quote' }).isHidden();

  for (const item of ['Sample photo', 'Location']) {
    await quote();
    await page.getByRole('button', { name: /Send a photo/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect.poll(endOfQuote).toBe(true);
  }

  // The browser of the tests has no microphone.
  await page.evaluate(`navigator.mediaDevices.getUserMedia = async () =>
    new AudioContext().createMediaStreamDestination().stream`);
  await quote();
  await page.getByRole('button', { name: 'Record a voice message' }).click();
  await page.getByRole('button', { name: 'Send the voice message' }).click();
  await expect.poll(endOfQuote).toBe(true);

  const context = { id: sent.body.messages[0].id };
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()).toMatchObject([
      { type: 'image', context },
      { type: 'location', context },
      { type: 'audio', audio: { voice: true }, context },
    ]),
  );
  await page.getByRole('link', { name: /You: Voice message/ }).waitFor();
});

test('a voice message of the business that is played is reported as played', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const link = 'https://files.example.com/hello.wav';
  await page.route(link, (route) => route.fulfill({ body: silence(), contentType: 'audio/wav' }));
  await network.send({ type: 'audio', text: undefined, audio: { link, voice: true } });
  const message = page.getByRole('article');
  await message.getByText('Reported: read').waitFor();
  await page.evaluate(`document.querySelector('article audio').play()`);
  await message.getByText('Reported: played').waitFor();
  await eventuallyHolds(() =>
    expect(network.receiver.statuses().at(-1)).toMatchObject({ status: 'played' }),
  );
});

/** A WAV file of 100 samples. */
function silence(): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  header.writeUInt32LE(136, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.writeUInt32LE(100, 40);
  return Buffer.concat([header, Buffer.alloc(100, 128)]);
}

test('a text is the caption of a photo, and stays in the field if the file can have none', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const field = page.getByLabel('Write a message');
  await field.fill('Look');
  for (const mimeType of ['audio/mpeg', 'image/webp', 'image/png']) {
    await page
      .getByLabel('File to send')
      .setInputFiles({ name: 'a file', mimeType, buffer: Buffer.from('a file') });
  }
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(3));
  const sent = network.receiver.inbound().map(({ type, ...rest }) => [type, rest[type as string]]);
  expect(Object.fromEntries(sent)).toEqual({
    audio: expect.not.objectContaining({ caption: expect.anything() }),
    sticker: expect.not.objectContaining({ caption: expect.anything() }),
    image: expect.objectContaining({ caption: 'Look' }),
  });
  expect(await field.inputValue()).toBe('');
  // It cannot be played.
  await page.getByRole('article').getByText('Audio', { exact: true }).waitFor();
});

test('the business is shown as typing until its message arrives', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await network.call('POST', '/simulator/inbound', {
    phone_number_id: network.number.phone_number_id,
    from: phone,
    text: 'Hello?',
  });
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  const message_id = network.receiver.inbound()[0]?.id;
  await page.getByText('Hello?').first().waitFor();
  await network.send({ status: 'read', message_id, typing_indicator: { type: 'text' } });
  await page.getByText('Test Business is typing').waitFor({ state: 'attached' });
  await network.send({ text: { body: 'Hi!' } });
  await page.getByRole('article').getByText('Hi!').waitFor();
  await page.getByText('Test Business is typing').waitFor({ state: 'detached' });
});

test('while older messages are read, new ones wait below', async () => {
  const network = await phones.startNetwork();
  const write = (text: string) =>
    network.call('POST', '/simulator/inbound', {
      phone_number_id: network.number.phone_number_id,
      from: phone,
      text,
    });
  for (let at = 1; at <= 30; at++) await write(`No. ${at}`);
  const { page } = await phones.open(network);
  const log = page.getByRole('log');
  await log.getByText('No. 30', { exact: true }).waitFor();
  // The page notices it by the event, which is late on a busy machine.
  await log.evaluate(
    (element: EventTarget & { scrollTop: number }) =>
      new Promise((resolve) => {
        element.addEventListener('scroll', resolve, { once: true });
        element.scrollTop = 0;
      }),
  );
  await write('The newest');
  await page.getByRole('button', { name: 'New messages' }).click();
  await page.getByRole('button', { name: 'New messages' }).waitFor({ state: 'detached' });
});

test('a person hides the phone, and shares it when a business asks for it', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  await page.getByRole('button', { name: 'Behaviour of the network' }).click();
  await page.getByLabel('Username').fill('ann.lee');
  await page.getByLabel('Hide the phone number').click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByLabel('Write a message').fill('Hello');
  await page.getByLabel('Write a message').press('Enter');
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  const hello = network.receiver.inbound()[0]!;
  expect(hello).not.toHaveProperty('from');

  const interactive = {
    type: 'request_contact_info',
    body: { text: 'May we have your number?' },
    action: { name: 'request_contact_info' },
  };
  await network.send({ type: 'interactive', text: undefined, interactive });
  await page.getByRole('button', { name: 'Share phone number' }).click();
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()[1]).toMatchObject({
      from_user_id: hello.from_user_id,
      contacts: [{ origin: 'contact_request', phones: [{ phone: `+${phone}`, wa_id: phone }] }],
    }),
  );
});

test('a person shares the phone by the button of a template', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const id = await sendButton(network, { type: 'REQUEST_CONTACT_INFO' });
  await page.getByRole('button', { name: 'Share Contact Info' }).click();
  await eventuallyHolds(() =>
    expect(network.receiver.inbound()).toMatchObject([
      {
        context: { id },
        contacts: [{ origin: 'contact_request', phones: [{ wa_id: phone }] }],
      },
    ]),
  );
});

test('a person fills in the form of a template, and that of an interactive message', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const action = { type: 'action', action: { flow_token: 'table-7' } };
  const id = await sendButton(
    network,
    { type: 'FLOW', text: 'Book a table' },
    { sub_type: 'flow', parameters: [action] },
  );
  await page.getByRole('button', { name: 'Book a table' }).click();
  const answers = page.getByLabel('Answers');
  expect(JSON.parse(await answers.inputValue())).toEqual({ flow_token: 'table-7' });
  expect(await axeProblems(page)).toEqual([]);
  await answers.fill('two persons');
  await page.getByRole('button', { name: 'Send answers' }).click();
  await page.getByText('Must be a JSON object').waitFor();
  const response_json = '{"flow_token": "table-7", "persons": 2}';
  await answers.fill(response_json);
  await page.getByRole('button', { name: 'Send answers' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('Sent', { exact: true }).waitFor();

  const interactive = {
    type: 'flow',
    body: { text: 'How was it?' },
    action: { name: 'flow', parameters: { flow_cta: 'Rate us', flow_id: '1' } },
  };
  const sent = await network.send({ type: 'interactive', text: undefined, interactive });
  await page.getByRole('button', { name: 'Rate us' }).click();
  await page.getByRole('button', { name: 'Send answers' }).click();
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(2));
  const [first, second] = network.receiver.inbound();
  expect(first).toMatchObject({
    interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } },
    context: { id },
  });
  expect(second).toMatchObject({ context: { id: sent.body.messages[0].id } });
  const { nfm_reply } = second!.interactive as { nfm_reply: { response_json: string } };
  expect(JSON.parse(nfm_reply.response_json)).toEqual({ flow_token: 'unused' });
});

test('a sample order is sent from the menu, and by the button of a template that opens the catalogue', async () => {
  const network = await phones.startNetwork();
  const { page } = await phones.open(network);
  const id = await sendButton(network, { type: 'CATALOG', text: 'View catalog' });
  await page.getByRole('button', { name: 'View catalog' }).click();
  await page.getByRole('article').getByText('2 × mug-blue').waitFor();
  await page.getByRole('button', { name: /Send a photo/ }).click();
  await page.getByRole('menuitem', { name: 'Sample order' }).click();
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(2));
  const [chosen, sample] = network.receiver.inbound();
  expect(chosen).toMatchObject({ type: 'order', context: { id } });
  expect(sample).not.toHaveProperty('context');
  expect(sample).toMatchObject({
    order: { catalog_id: expect.any(String), product_items: [{}, {}] },
  });
});

/** Sends a template with one button. Returns the id of the message. */
async function sendButton(network: TestSimulator, button: object, parameters?: object) {
  const { business_account_id } = network.number;
  await network.call('POST', '/simulator/templates', {
    business_account_id,
    name: 'with_button',
    language: 'en',
    components: [
      { type: 'BODY', text: 'Press it' },
      { type: 'BUTTONS', buttons: [button] },
    ],
  });
  const template = {
    name: 'with_button',
    language: { code: 'en' },
    ...(parameters && { components: [{ type: 'button', index: '0', ...parameters }] }),
  };
  const { body } = await network.send({ type: 'template', text: undefined, template });
  return body.messages[0].id as string;
}
