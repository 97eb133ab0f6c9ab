import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../test/checks/eventually.ts';
import { startTestSimulator, type TestSimulator } from '../../../test/servers/simulator.ts';

test('a phone that is off receives its messages when it is switched on', async () => {
  const network = await startTestSimulator();
  await network.call('POST', '/simulator/phones', { phone: '+15551234567', name: 'Ann' });
  await network.call('PATCH', '/simulator/phones/15551234567', { on: false });
  await network.send();
  // Another phone receives a later message first, so only the phone can be the reason to wait.
  await network.send({ to: '+15557654321' });
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(3));
  const delivered = () =>
    network.receiver
      .statuses()
      .filter((one) => one.status === 'delivered')
      .map((one) => one.recipient_id);
  expect(delivered()).toEqual(['15557654321']);
  await network.call('PATCH', '/simulator/phones/15551234567', { on: true });
  await eventuallyHolds(() => expect(delivered()).toEqual(['15557654321', '15551234567']));
});

test('opening a chat marks delivered messages as read once', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  await network.send();
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(4));
  const read = () =>
    network.call('POST', '/simulator/phones/15551234567/read', { phone_number_id });
  expect((await read()).body).toEqual({ read: 2 });
  expect((await read()).body).toEqual({ read: 0 });
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(6));
  expect((await network.messages()).map((message) => message.status)).toEqual(['read', 'read']);
});

test('a voice message of the business is reported as played, and as read before if it was not', async () => {
  const network = await startTestSimulator();
  const link = 'https://files.example.com/a.ogg';
  const send = (audio: object) => network.send({ type: 'audio', text: undefined, audio });
  const [voice, file] = [await send({ link, voice: true }), await send({ link })];
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(4));
  const play = (message_id: string) =>
    network.call('POST', '/simulator/phones/15551234567/play', { message_id });
  const { id } = voice.body.messages[0];
  expect((await play(id)).body).toEqual({ played: true });
  expect((await play(id)).body).toEqual({ played: false });
  expect((await play(file.body.messages[0].id)).body).toEqual({ played: false });
  expect((await play('wamid.unknown')).body).toEqual({ played: false });
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(8));
  const ofVoice = network.receiver.statuses().filter((one) => one.id === id);
  expect(ofVoice.map(({ status }) => status)).toEqual(['sent', 'delivered', 'read', 'played']);
  const { body } = await network.call('GET', '/simulator/phones');
  expect(body.phones).toMatchObject([{ unread: 2 }]);
});

test('phones list their unread messages, their last message and their chats', async () => {
  const network = await startTestSimulator();
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  const { body } = await network.call('GET', '/simulator/phones');
  const last = { status: 'delivered', payload: { text: { body: 'Hello' } } };
  expect(body.phones).toMatchObject([{ phone: '15551234567', on: true, unread: 1, last }]);
  const { chats } = (await network.call('GET', '/simulator/phones/15551234567/chats')).body;
  expect(chats).toMatchObject([{ messages: [{ status: 'delivered' }] }]);
});

test('changes are streamed as they happen', async () => {
  const network = await startTestSimulator();
  const stream = await fetch(`${network.url}/simulator/events`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await network.send({ text: { body: 'Live' } });
  let text = '';
  while (!text.includes('"unread":1')) text += (await reader?.read())?.value ?? '';
  expect(text).toContain('"kind":"message"');
  expect(text).toContain('"delivered"');
  expect(text).toContain('Live');
  await reader?.cancel();
});

test('the business can download a file from a phone, with its token only', async () => {
  const network = await startTestSimulator();
  const { phone_number_id, access_token } = network.number;
  await network.call('POST', '/simulator/phones', { phone: '15551234567' });
  await fetch(
    `${network.url}/simulator/phones/15551234567/media?phone_number_id=${phone_number_id}&filename=a.png&caption=Look`,
    { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'a picture' },
  );
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  const image = network.receiver.inbound()[0]?.image as { id: string; url: string };
  expect(image).toMatchObject({ caption: 'Look', mime_type: 'image/png' });
  const { body } = await network.call('GET', `/v25.0/${image.id}`, undefined, access_token);
  const fetched = await fetch(body.url, { headers: { authorization: `Bearer ${access_token}` } });
  expect(await fetched.text()).toBe('a picture');
  expect((await fetch(body.url)).status).toBe(401);
  // The callback has such a URL itself.
  const again = await fetch(image.url, { headers: { authorization: `Bearer ${access_token}` } });
  expect(await again.text()).toBe('a picture');
});

test('a voice message is told from a file with audio, by its callback and its lookup', async () => {
  const network = await startTestSimulator();
  const { access_token } = network.number;
  const send = (voice: string, type: string) => sendFile(network, { voice }, type);
  await send('true', 'audio/ogg;codecs=opus');
  await send('true', 'audio/mp4');
  await send('false', 'audio/mpeg');
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(3));
  const sent = network.receiver.inbound().map(({ audio }) => audio as { id: string });
  expect(sent).toMatchObject([
    { mime_type: 'audio/ogg; codecs=opus', voice: true },
    { mime_type: 'audio/mp4', voice: true },
    { mime_type: 'audio/mpeg', voice: false },
  ]);
  const { body } = await network.call('GET', `/v25.0/${sent[0]!.id}`, undefined, access_token);
  expect(body.mime_type).toBe('audio/ogg; codecs=opus');

  expect(await send('true', 'image/png')).toEqual([400, 'voice is for audio only']);
  expect((await send('maybe', 'audio/mpeg'))[0]).toBe(400);
});

test('audio and stickers have no caption', async () => {
  const network = await startTestSimulator();
  for (const type of ['audio/mpeg', 'image/webp']) {
    expect(await sendFile(network, { caption: 'Look' }, type)).toEqual([
      400,
      'only an image, a video or a document can have a caption',
    ]);
  }
  expect((await sendFile(network, { caption: 'Look' }, 'application/pdf'))[0]).toBe(200);
});

test('a file can reply to a message', async () => {
  const network = await startTestSimulator();
  await sendFile(network, { context: 'wamid.A' }, 'image/png');
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(1));
  expect(network.receiver.inbound()[0]?.context).toEqual({
    from: network.number.display_phone_number.replace(/\D/g, ''),
    id: 'wamid.A',
  });
});

/** Sends a file from a phone. Returns the HTTP status, and the error if there is one. */
async function sendFile(
  { url, number, call }: TestSimulator,
  parameters: Record<string, string>,
  type: string,
): Promise<[number, string | undefined]> {
  const { body } = await call('POST', '/simulator/phones', { phone: '15551234567' });
  const { phone_number_id } = number;
  const response = await fetch(
    `${url}/simulator/phones/${body.phone}/media?${new URLSearchParams({ phone_number_id, ...parameters })}`,
    { method: 'POST', headers: { 'content-type': type }, body: 'a file' },
  );
  const { error } = (await response.json()) as { error?: string };
  return [response.status, error];
}
