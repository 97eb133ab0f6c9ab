import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../test/servers/simulator.ts';

test('an inbound text is reported with the profile, and the response has its id', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const { body } = await network.call('POST', '/simulator/inbound', {
    phone_number_id,
    from: '+15551234567',
    profile_name: 'Zoë',
    text: 'Hello',
  });
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(1));
  const { value } = JSON.parse(String(network.receiver.posts[0]?.raw)).entry[0].changes[0];
  expect(value).toEqual({
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: network.number.display_phone_number.replace(/\D/g, ''),
      phone_number_id,
    },
    contacts: [
      { profile: { name: 'Zoë' }, wa_id: '15551234567', user_id: value.messages[0].from_user_id },
    ],
    messages: [
      {
        from: '15551234567',
        from_user_id: expect.stringMatching(/^[A-Z]{2}\.\w+$/),
        id: body.message_id,
        timestamp: expect.stringMatching(/^\d{10}$/),
        type: 'text',
        text: { body: 'Hello' },
      },
    ],
  });
});

test.each([
  ['image', { id: '1', mime_type: 'image/jpeg', sha256: 'x' }],
  ['location', { latitude: 1, longitude: 2 }],
  ['reaction', { message_id: 'wamid.x', emoji: '👍' }],
  ['button', { payload: 'stop', text: 'Stop' }],
  ['interactive', { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } }],
  ['order', { catalog_id: '1', product_items: [] }],
])('a message of type %s is reported unchanged', async (type, content) => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const message = { phone_number_id, from: '15551234567', type, [type]: content };
  await network.call('POST', '/simulator/inbound', message);
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  expect(network.receiver.inbound()[0]).toMatchObject({ type, [type]: content });
});

test('a reply has the id of the message to which it replies', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const message = { phone_number_id, from: '15551234567', text: 'Yes', context: 'wamid.question' };
  await network.call('POST', '/simulator/inbound', message);
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  expect(network.receiver.inbound()[0]?.context).toMatchObject({ id: 'wamid.question' });
});

test('the context of a reply names the author of the message', async () => {
  const network = await startTestSimulator();
  const { phone_number_id, display_phone_number } = network.number;
  const from = '15551234567';
  const write = async (text: string, context?: string) => {
    const message = { phone_number_id, from, text, ...(context && { context }) };
    return (await network.call('POST', '/simulator/inbound', message)).body.message_id;
  };
  const business = display_phone_number.replace(/\D/g, '');
  const theirs = (await network.send()).body.messages[0].id;
  const own = await write('One moment');
  await write('Yes', theirs);
  await write('Here I am', own);
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(3));
  const contexts = network.receiver.inbound().map(({ text, context }) => [text, context]);
  expect(contexts).toContainEqual([{ body: 'Yes' }, { from: business, id: theirs }]);
  expect(contexts).toContainEqual([{ body: 'Here I am' }, { from, id: own }]);
});

test('nationalWaIds gives messages from phones the same ids as messages to them', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  await network.behave({ nationalWaIds: true });
  const message = { phone_number_id, from: '+5562987654321', text: 'Oi' };
  await network.call('POST', '/simulator/inbound', message);
  await network.send({ to: '+5562987654321' });
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  expect(network.receiver.inbound()[0]).toMatchObject({ from: '556287654321' });
  expect(new Set((await network.messages()).map(({ phone }) => phone))).toEqual(
    new Set(['556287654321']),
  );
});

test.each([
  ['4915123456789', 'DE'],
  ['5562987654321', 'BR'],
  ['12015550123', 'US'],
  ['14165550123', 'CA'],
  ['18765550123', 'JM'],
  ['77012345678', 'KZ'],
  ['79161234567', 'RU'],
  ['35312345678', 'IE'],
  ['9607712345', 'MV'],
  ['80012345678', 'US'],
])('the user id of the phone %s begins with %s', async (phone, country) => {
  const network = await startTestSimulator();
  const { body } = await network.call('POST', '/simulator/phones', { phone });
  expect(body.user_id).toMatch(new RegExp(`^${country}\\.[A-Za-z0-9]{1,128}$`));
});

test('a hidden phone is reported as a user id', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const message = { phone_number_id, from: '15551234567', text: 'Hi', hide_phone: true };
  await network.call('POST', '/simulator/inbound', message);
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(1));
  const raw = String(network.receiver.posts[0]?.raw);
  // The phone appears only inside the message id.
  expect(raw).not.toContain('"15551234567"');
  const { value } = JSON.parse(raw).entry[0].changes[0];
  expect(value.contacts[0].user_id).toBe(value.messages[0].from_user_id);
});

test('a hidden phone is reported once the business knows it, by a message to it or from its owner', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const hide = async (phone: string) => {
    await network.call('POST', '/simulator/phones', { phone });
    const hidden = { username: 'ana.m', hidden: true };
    return (await network.call('PATCH', `/simulator/phones/${phone}`, hidden)).body.user_id;
  };
  let written = 0;
  /** Returns the callback of a message from a phone. */
  const write = async (from: string, message: object = { text: 'Hi' }) => {
    await network.call('POST', '/simulator/inbound', { phone_number_id, from, ...message });
    written++;
    await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(written));
    const values = network.receiver.posts.map(
      ({ raw }) => JSON.parse(String(raw)).entry[0].changes[0].value,
    );
    const { messages, contacts } = values.filter((value) => value.messages).at(-1);
    return { from: messages[0].from, wa_id: contacts[0].wa_id };
  };
  const unknown = { from: undefined, wa_id: undefined };
  const ofPhone = (phone: string) => ({ from: phone, wa_id: phone });

  const told = '15551234567';
  const userId = await hide(told);
  await network.send({ to: undefined, recipient: userId });
  await network.behave({ phone: told, failWith: 131026, count: 1 });
  await network.send({ to: `+${told}` });
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(4));
  expect(await write(told)).toEqual(unknown);
  await network.send({ to: `+${told}` });
  expect(await write(told)).toEqual(ofPhone(told));
  expect(await write(told, { text: 'Hi', hide_phone: true })).toEqual(unknown);

  const sharing = '15551234568';
  await hide(sharing);
  const phones = [{ phone: `+${sharing}`, wa_id: sharing }];
  const card = { origin: 'other', phones };
  const share = { origin: 'contact_request', phones };
  expect(await write(sharing, { type: 'contacts', contacts: [card] })).toEqual(unknown);
  expect(await write(sharing, { type: 'contacts', contacts: [share] })).toEqual(unknown);
  expect(await write(sharing)).toEqual(ofPhone(sharing));
});

test('only a message from a phone can be marked as read, and the phone shows it', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const message = { phone_number_id, from: '15551234567', text: 'Hi' };
  const { body } = await network.call('POST', '/simulator/inbound', message);
  const mark = { status: 'read', message_id: body.message_id };
  expect((await network.send(mark)).body).toEqual({ success: true });
  expect((await network.messages())[0]?.seen).toBe(true);
  const unknown = await network.send({ ...mark, message_id: 'wamid.unknown' });
  expect(unknown.body.error.code).toBe(131009);
});

test('a message that is marked as read again leaves later ones unread', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const write = async (text: string) =>
    (
      await network.call('POST', '/simulator/inbound', {
        phone_number_id,
        from: '15551234567',
        text,
      })
    ).body.message_id;
  const mark = (message_id: string) => network.send({ status: 'read', message_id });
  const first = await write('One');
  await mark(first);
  const second = await write('Two');
  await mark(first);
  const seen = async () => (await network.messages()).map((message) => message.seen === true);
  expect(await seen()).toEqual([true, false]);
  await write('Three');
  await mark(second);
  expect(await seen()).toEqual([true, true, false]);
});

test.each([
  ['a phone with letters', { from: 'Anna', text: 'Hi' }, 400],
  ['no text', { from: '15551234567' }, 400],
  ['an unknown number', { from: '15551234567', text: 'Hi', phone_number_id: '1' }, 404],
])('%s is refused', async (_name, fields, status) => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const response = await network.call('POST', '/simulator/inbound', { phone_number_id, ...fields });
  expect(response.status).toBe(status);
});

test('a message from a phone is delivered when the receiver has accepted its callback', async () => {
  const network = await startTestSimulator();
  network.receiver.answers.push(503);
  await network.behave({ retryDelaysMs: [200] });
  const { phone_number_id } = network.number;
  const { body } = await network.call('POST', '/simulator/inbound', {
    phone_number_id,
    from: '15551234567',
    text: 'Hello',
  });
  const path = `/simulator/messages/${encodeURIComponent(body.message_id)}`;
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(1));
  expect((await network.call('GET', path)).body).toMatchObject({ status: 'sent', statuses: [] });
  await eventuallyHolds(async () =>
    expect((await network.call('GET', path)).body).toMatchObject({
      status: 'delivered',
      statuses: [{ status: 'delivered' }],
    }),
  );
});
