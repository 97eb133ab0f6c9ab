import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';

/**
 * Uses the typed client as a program does that installed it, in any runtime.
 *
 * @param {Record<string, Function>} client what the package exports
 */
export async function tryClient(client) {
  const { createClient, unwrap, walk, ParleyError } = client;
  const { PARLEY_URL: url, PARLEY_TENANT: tenant, PARLEY_TOKEN: token } = process.env;
  const parley = createClient({ url, tenant, token });
  const name = `Runtime ${crypto.randomUUID()}`;

  const { data: group } = unwrap(await parley.POST('/groups', { body: { name } }));
  const firstname = name;
  for (const last of ['0', '1', '2']) {
    const phone = `+1415555${String(group.id % 1_000).padStart(3, '0')}${last}`;
    const body = { firstname, phone, group_ids: [group.id] };
    unwrap(await parley.PUT('/contacts', { params: { query: { phone } }, body }));
  }
  let count = 0;
  const query = { group_id: group.id, per_page: 2 };
  for await (const contact of walk((after) =>
    parley.GET('/contacts', { params: { query: { ...query, after } } }),
  )) {
    assert.equal(contact.firstname, name);
    count++;
  }
  assert.equal(count, 3);

  const taken = await parley.POST('/groups', { body: { name } });
  assert.throws(() => unwrap(taken), ParleyError);
  assert.equal(taken.error.code, 'validation_failed');

  await repeatAfterLostResponse(client, { url, tenant, token });
  await readEvents(client, parley);
  await moveFile(client, parley);
  await verify(client);
}

async function repeatAfterLostResponse({ createClient }, access) {
  let requests = 0;
  const parley = createClient({
    ...access,
    fetch: async (request) => {
      const response = await fetch(request);
      if (requests++ === 0) throw new TypeError('the connection was lost');
      return response;
    },
    retry: { wait: async () => {} },
  });
  const { response } = await parley.POST('/groups', { body: { name: crypto.randomUUID() } });
  assert.equal(response.headers.get('idempotency-replayed'), 'true');
  assert.equal(requests, 2);
}

async function readEvents({ followEvents }, parley) {
  const stop = new AbortController();
  const options = { types: ['contact.created'], limit: 2, signal: stop.signal };
  for await (const { events, next } of followEvents(parley, options)) {
    assert.equal(events[0].event, 'contact.created');
    assert.equal(typeof next, 'string');
    stop.abort();
  }
  // A request that waits for an event is given up.
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(), 200);
  for await (const _ of followEvents(parley, {
    types: ['source.deleted'],
    signal: waiting.signal,
  }));
}

async function moveFile({ uploadMedia, downloadMedia }, parley) {
  const bytes = new Uint8Array(300_000).fill(7);
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'));
  for (const file of [new Blob([bytes]), new Blob([bytes]).stream()]) {
    const given = { type: 'document', file, filename: 'a"b.pdf' };
    const { media_id } = await uploadMedia(parley, given);
    const { stream, size } = await downloadMedia(parley, media_id);
    assert.equal(size, bytes.length);
    assert.deepEqual(new Uint8Array(await new Response(stream).arrayBuffer()), bytes);
    const part = await downloadMedia(parley, media_id, { range: 'bytes=0-3' });
    assert.equal(await new Response(part.stream).text(), '%PDF');
  }
}

async function verify({ verifyWebhook, WebhookVerificationError }) {
  const key = Buffer.alloc(32, 'k');
  const body = '{"event":"contact.created","data":{"id":7}}';
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64');
  const headers = new Headers({
    'webhook-id': 'evt_1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,${signature}`,
  });
  const secret = `whsec_${key.toString('base64')}`;
  const event = await verifyWebhook(body, headers, secret);
  assert.deepEqual(event.data, { id: 7 });
  const forged = verifyWebhook(`${body} `, headers, secret);
  await assert.rejects(forged, WebhookVerificationError);
}
