import { createHash } from 'node:crypto';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../test/checks/eventually.ts';
import { startTestSimulator, type TestSimulator } from '../../../test/servers/simulator.ts';

async function upload(network: TestSimulator, type: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', type);
  form.set('file', new Blob([bytes], { type }), 'file');
  const response = await fetch(`${network.url}/v25.0/${network.number.phone_number_id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.number.access_token}` },
    body: form,
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test('a file is uploaded, looked up, downloaded, sent by id, and removed', async () => {
  const network = await startTestSimulator();
  const { access_token: token } = network.number;
  const bytes = new Uint8Array([255, 0, 13, 10, 45, 45]);
  const { id } = (await upload(network, 'image/jpeg', bytes)).body;

  const { body } = await network.call('GET', `/v25.0/${id}`, undefined, token);
  expect(body).toMatchObject({
    id,
    mime_type: 'image/jpeg',
    file_size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const file = await fetch(body.url, { headers: { authorization: `Bearer ${token}` } });
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  const nameless = await request(body.url, { headers: { authorization: `Bearer ${token}` } });
  await nameless.body.dump();
  expect(nameless.statusCode).toBe(404);

  expect((await network.send({ type: 'image', text: undefined, image: { id } })).status).toBe(200);
  const removed = await network.call('DELETE', `/v25.0/${id}`, undefined, token);
  expect(removed.body).toEqual({ success: true });
  expect((await network.send({ type: 'image', text: undefined, image: { id } })).status).toBe(400);
  expect((await network.call('GET', `/v25.0/${id}`, undefined, token)).body.error.code).toBe(100);
  const again = await network.call('DELETE', `/v25.0/${id}`, undefined, token);
  expect(again.body.error.code).toBe(100);
  // The phone that received it still has it.
  const onPhone = await fetch(`${network.url}/simulator/media/${id}`);
  expect(new Uint8Array(await onPhone.arrayBuffer())).toEqual(bytes);
});

test('a file of another number can be neither looked up nor sent', async () => {
  const network = await startTestSimulator();
  const other = (await network.call('POST', '/simulator/numbers', {})).body;
  const { id } = (await upload(network, 'image/png', new Uint8Array(8))).body;
  const lookup = await network.call('GET', `/v25.0/${id}`, undefined, other.access_token);
  expect(lookup.body.error).toMatchObject({ code: 100, error_subcode: 33 });
  const { access_token } = network.number;
  const path = `/v25.0/${id}?phone_number_id=${other.phone_number_id}`;
  const byOther = await network.call('GET', path, undefined, access_token);
  expect(byOther.body.error).toMatchObject({ code: 100 });
  const sent = await network.call(
    'POST',
    `/v25.0/${other.phone_number_id}/messages`,
    { messaging_product: 'whatsapp', to: '15551234567', type: 'image', image: { id } },
    other.access_token,
  );
  expect(sent.body.error.code).toBe(131009);
});

test.each([
  ['a type that the network does not accept', 'image/bmp', 10],
  ['a document of another type', 'application/zip', 10],
  ['an image above 5 MB', 'image/png', 5 * 1024 * 1024 + 1],
])('%s is rejected', async (_name, type, size) => {
  const network = await startTestSimulator();
  const { status, body } = await upload(network, type, new Uint8Array(size));
  expect(status).toBe(400);
  expect(body.error.code).toBe(100);
});

test('an uploaded file of another kind is accepted and fails with 131053', async () => {
  const network = await startTestSimulator();
  const pdf = (await upload(network, 'application/pdf', new Uint8Array(8))).body.id;
  const png = (await upload(network, 'image/png', new Uint8Array(8))).body.id;
  const send = (fields: object) => network.send({ text: undefined, ...fields });
  const header = { type: 'header', parameters: [{ type: 'document', document: { id: pdf } }] };
  const invoice = { name: 'invoice_ready', language: { code: 'en' } };
  const body = { type: 'body', parameters: [{ type: 'text', text: '7' }] };
  const sent = [
    await send({ type: 'image', image: { id: pdf } }),
    await send({ type: 'sticker', sticker: { id: png } }),
    await send({ type: 'image', image: { id: png } }),
    await send({ type: 'document', document: { id: png } }),
    await send({ type: 'template', template: { ...invoice, components: [header, body] } }),
    await send(buttonsBelow({ type: 'image', image: { id: pdf } })),
    await send(buttonsBelow({ type: 'image', image: { id: png } })),
  ];
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
  await eventuallyHolds(async () => {
    const found = (await network.messages()).map(({ status, error }) => [status, error?.code]);
    const [failed, delivered] = [
      ['failed', 131053],
      ['delivered', undefined],
    ];
    expect(found).toEqual([failed, failed, delivered, delivered, delivered, failed, delivered]);
  });
});

/** An interactive message with a header. */
function buttonsBelow(header: object) {
  const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }];
  const interactive = { type: 'button', header, body: { text: 'Well?' }, action: { buttons } };
  return { type: 'interactive', interactive };
}

test('with the limit for it, files at local and private addresses fail', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const send = (link: string) => network.send({ type: 'image', text: undefined, image: { link } });
  await send('http://127.0.0.1:9589/a.jpg');
  const limits = { public_links: true };
  await network.call('POST', '/simulator/numbers', { phone_number_id, limits });
  for (const host of [
    '127.0.0.1:9589',
    'localhost',
    '10.0.0.1',
    'nas.local',
    'files.example.com',
  ]) {
    await send(`http://${host}/a.jpg`);
  }
  await eventuallyHolds(async () => {
    const found = (await network.messages()).map(({ status, error }) => [status, error?.code]);
    const [failed, delivered] = [
      ['failed', 131053],
      ['delivered', undefined],
    ];
    expect(found).toEqual([delivered, failed, failed, failed, failed, delivered]);
  });
});
