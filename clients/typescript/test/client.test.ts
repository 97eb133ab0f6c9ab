import { execFile } from 'node:child_process';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import {
  type components,
  createClient,
  idempotencyKeyOf,
  NoResponseError,
  ParleyError,
  pages,
  unwrap,
  walk,
} from '../src/client.ts';
import { followEvents, type ParleyEvent } from '../src/events.ts';
import { downloadMedia, uploadMedia } from '../src/media.ts';
import { liveService } from './live-service.ts';

const live = liveService();
const phone = '+14155550123';

test('a list is walked to its end, and a refusal is an exception with its code', async () => {
  const parley = createClient(live);
  const made: number[] = [];
  for (let each = 0; each < 5; each++) {
    const body = { firstname: `W${each}`, phone: `+1415555880${each}`, metadata: { set: 'walk' } };
    made.push(unwrap(await parley.POST('/contacts', { body })).data.id);
  }
  const read = (after: string | undefined) =>
    parley.GET('/contacts', { params: { query: { search: '+141555588', per_page: 2, after } } });
  const found: number[] = [];
  for await (const { id, metadata } of walk(read)) {
    found.push(id);
    expectTypeOf(metadata).toEqualTypeOf<{ [name: string]: string }>();
  }
  expect(found).toEqual(made);
  const lengths: number[] = [];
  for await (const page of pages(read)) lengths.push(page.data.length);
  expect(lengths).toEqual([2, 2, 1]);

  const taken = await parley.POST('/contacts', { body: { firstname: 'X', phone: '+14155558800' } });
  const refused = await Promise.resolve(taken)
    .then(unwrap)
    .catch((error) => error);
  expect(refused).toBeInstanceOf(ParleyError);
  expect(refused).toMatchObject({
    status: 422,
    code: 'validation_failed',
    errors: { phone: [expect.any(String)] },
    data: { id: made[0] },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const wrong = walk((after) =>
    parley.GET('/contacts', { params: { query: { after, per_page: 0 } } }),
  );
  await expect(wrong.next()).rejects.toMatchObject({ status: 422, code: 'validation_failed' });
});

test.each([
  ['', '0'],
  ['', undefined],
  ['<html>Bad Gateway</html>', undefined],
  ['null', '4'],
])(
  'an error of a proxy with the body "%s" and length %s has the fields of every error',
  async (body, length) => {
    const headers = {
      'x-request-id': 'p-1',
      ...(length !== undefined && { 'content-length': length }),
    };
    const fetch = async () => new Response(body, { status: 502, headers });
    const parley = createClient({ ...live, fetch, retry: { maxAttempts: 1 } });
    const result = await parley.GET('/groups');
    const message = 'The service responded with HTTP status 502.';
    expect(result.error).toEqual({ success: false, message, errors: {} });
    expect(result.response.status).toBe(502);
    const error = await Promise.resolve(result)
      .then(unwrap)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ message, status: 502, code: undefined, requestId: 'p-1' });
  },
);

test('the key of a POST without a success is in the result and the exception, and repeats it', async () => {
  const sent: string[] = [];
  let isLost = true;
  const fetch = async (request: Request) => {
    sent.push(request.headers.get('idempotency-key')!);
    const response = await globalThis.fetch(request);
    if (isLost) throw new TypeError('the connection was lost');
    return response;
  };
  const parley = createClient({ ...live, fetch, retry: { maxAttempts: 2, wait: async () => {} } });
  const body = { name: 'Repeated by hand' };
  const failure = await parley.POST('/sources', { body }).catch((thrown) => thrown);
  expect(failure).toBeInstanceOf(NoResponseError);
  expect(failure).toMatchObject({ cause: new TypeError('the connection was lost') });
  isLost = false;
  const header = { 'Idempotency-Key': failure.idempotencyKey };
  const repeated = await parley.POST('/sources', { body, params: { header } });
  expect(repeated.response.headers.get('idempotency-replayed')).toBe('true');

  const refused = await parley.POST('/sources', { body });
  expect(refused.response.status).toBe(422);
  expect(sent).toEqual([sent[0], sent[0], sent[0], expect.any(String)]);
  expect(idempotencyKeyOf(refused.response)).toBe(sent[3]);
  expect(new ParleyError(refused).idempotencyKey).toBe(sent[3]);
  expect(idempotencyKeyOf((await parley.GET('/sources')).response)).toBeUndefined();
});

test('a template is sent, and its status is looked up by its id', async () => {
  const parley = createClient(live);
  const sent = await parley.POST('/messages/template', {
    body: { phone_number: phone, template_name: 'hello_world', template_language: 'en_US' },
  });
  expect(sent.error).toBeUndefined();
  const { message_id } = sent.data!.data;
  expectTypeOf(message_id).toEqualTypeOf<string>();
  const status = await parley.GET('/messages/{message_id}', { params: { path: { message_id } } });
  expect(status.data?.data.message_id).toBe(message_id);
  expect(['sent', 'delivered', 'read']).toContain(status.data?.data.status);
});

test('a generated password whose response was lost is undefined, and the message says what to do', async () => {
  let requests = 0;
  const fetch = async (request: Request) => {
    const response = await globalThis.fetch(request);
    if (++requests === 1) throw new TypeError('the connection was lost');
    return response;
  };
  const parley = createClient({ ...live, fetch, retry: { wait: async () => {} } });
  const template = { template_name: 'login_code', template_language: 'en_US' };
  const body = { phone_number: phone, ...template, auto_generate_otp: true };
  const { message, data } = unwrap(await parley.POST('/messages/template', { body }));
  expectTypeOf(data.otp).toEqualTypeOf<string | undefined>();
  expect(data.otp).toBeUndefined();
  expect(message).toContain('send another one with a new Idempotency-Key');
});

test('the type of a dry run has no ids', async () => {
  const parley = createClient(live);
  const body = { phone_number: phone, type: 'text', message: 'Hi', dry_run: true } as const;
  const { data } = unwrap(await parley.POST('/messages/send', { body }));
  expectTypeOf(data.status).toEqualTypeOf<'sent' | 'valid'>();
  expect(data).toEqual({ phone_number: phone, status: 'valid' });
  // @ts-expect-error: only a message that was sent has an id.
  expect(data.message_id).toBeUndefined();
});

test('files are streamed up and down, and an upload is sent once', async () => {
  let requests = 0;
  const fetch = (request: Request) => {
    requests++;
    return globalThis.fetch(request);
  };
  const parley = createClient({ ...live, fetch });
  const bytes = new Uint8Array(300_000).fill(7);
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'));
  const file = () => new Blob([bytes]).stream();
  const uploaded = await uploadMedia(parley, {
    type: 'document',
    file: file(),
    filename: 'a"b.pdf',
  });
  expect(uploaded).toMatchObject({ type: 'document', size: 300_000, mime_type: 'application/pdf' });
  const sent = await parley.POST('/messages/media', {
    body: { phone_number: phone, type: 'document', media_id: uploaded.media_id },
  });
  expect(sent.error).toBeUndefined();

  const down = await downloadMedia(parley, uploaded.media_id);
  expect(down).toMatchObject({ mimeType: 'application/pdf', size: 300_000 });
  expect(new Uint8Array(await new Response(down.stream).arrayBuffer())).toEqual(bytes);
  const part = await downloadMedia(parley, uploaded.media_id, { range: 'bytes=0-3' });
  expect([down.isPart, part.isPart]).toEqual([false, true]);
  expect(await new Response(part.stream).text()).toBe('%PDF');
  await expect(downloadMedia(parley, 'message-999999')).rejects.toMatchObject({ status: 404 });

  requests = 0;
  const wrong = { type: 'image', file: new Blob(['no image']), filename: 'a.png' } as const;
  await expect(uploadMedia(parley, wrong)).rejects.toMatchObject({
    status: 422,
    errors: { file: [expect.any(String)] },
  });
  expect(requests).toBe(1);
});

test('an office document is uploaded by the type that the program or its Blob names', async () => {
  const parley = createClient(live);
  const mimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const offer = { type: 'document', filename: 'offer.docx' } as const;
  const bytes = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]);
  const named = await uploadMedia(parley, { ...offer, file: new Blob([bytes]).stream(), mimeType });
  const typed = await uploadMedia(parley, {
    ...offer,
    file: new Blob([bytes], { type: mimeType }),
  });
  expect([named.mime_type, typed.mime_type]).toEqual([mimeType, mimeType]);
  const split = { ...offer, file: new Blob([bytes]), mimeType: `${mimeType}\r\nx-extra: 1` };
  await expect(uploadMedia(parley, split)).rejects.toMatchObject({
    status: 422,
    errors: { file: [expect.stringContaining('x-extra')] },
  });
});

test('an upload is for the number that the program names', async () => {
  const parley = createClient(live);
  const invoice = { type: 'document', filename: 'a.pdf', file: new Blob(['%PDF-1.7 a']) } as const;
  const own = unwrap(await parley.GET('/messages')).data[0]!.number!.display_phone_number!;
  const from = `+${own.replace(/\D/g, '')}`;
  expect((await uploadMedia(parley, { ...invoice, from })).type).toBe('document');
  await expect(uploadMedia(parley, { ...invoice, from: '+19995550100' })).rejects.toMatchObject({
    status: 422,
    errors: { from: [expect.any(String)] },
  });
});

test('a download says whether the service sent the requested part or the whole file', async () => {
  // Files of servers that name no length are sent as a whole.
  const fetch = async () => new Response('whole');
  const parley = createClient({ ...live, fetch });
  expect(await downloadMedia(parley, 'message-42', { range: 'bytes=2-' })).toMatchObject({
    isPart: false,
  });
});

test('contacts are created, listed, changed and deleted with the types of the description', async () => {
  const parley = createClient(live);
  const made = await parley.POST('/contacts', { body: { firstname: 'Ada', phone } });
  const { id } = made.data!.data;
  expectTypeOf(made.data!.data).toEqualTypeOf<components['schemas']['Contact']>();
  const page = await parley.GET('/contacts', { params: { query: { search: 'ada', per_page: 5 } } });
  expect(page.data?.data.map((contact) => contact.id)).toEqual([id]);
  expect(page.data?.pagination.per_page).toBe(5);
  const params = { path: { id } };
  const changed = await parley.PUT('/contacts/{id}', { params, body: { city: 'London' } });
  expect(changed.data?.data).toMatchObject({ firstname: 'Ada', city: 'London' });
  expect((await parley.DELETE('/contacts/{id}', { params })).data?.data.deleted).toBe(true);
  expect((await parley.GET('/contacts/{id}', { params })).response.status).toBe(404);
});

test('an error response is a value with messages by field, not an exception', async () => {
  const parley = createClient(live);
  const { error, response } = await parley.POST('/contacts', {
    body: { firstname: 'Ada', phone: '12' },
  });
  expect(response.status).toBe(422);
  expect(error?.errors.phone?.[0]).toMatch(/^must be a phone number/);
});

test('a POST that is sent twice has one effect, because both attempts have the same key', async () => {
  const requests: Request[] = [];
  const waits: number[] = [];
  const parley = createClient({
    ...live,
    // The first response is lost.
    fetch: async (request) => {
      requests.push(request.clone());
      const response = await fetch(request);
      if (requests.length === 1) throw new TypeError('the connection was lost');
      return response;
    },
    retry: {
      wait: async (ms) => {
        waits.push(ms);
      },
    },
  });
  const { data, response } = await parley.POST('/statuses', { body: { name: 'Sent twice' } });
  expect(data?.data.name).toBe('Sent twice');
  expect(response.headers.get('idempotency-replayed')).toBe('true');
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(waits).toHaveLength(1);
});

/** A success whose connection ends in the middle of its body. */
const brokenOff = () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};

test.each([
  ['breaks off', brokenOff],
  [
    'is a page of a proxy',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  ],
])('a POST whose success %s is repeated with its key, and happens once', async (_what, spoiled) => {
  const keys: (string | null)[] = [];
  const fetch = async (request: Request) => {
    keys.push(request.headers.get('idempotency-key'));
    const response = await globalThis.fetch(request);
    return keys.length === 1 ? spoiled() : response;
  };
  const parley = createClient({ ...live, fetch, retry: { wait: async () => {} } });
  const reference = `spoiled ${crypto.randomUUID()}`;
  const template = { template_name: 'hello_world', template_language: 'en_US' };
  const body = { phone_number: phone, ...template, reference };
  const sent = unwrap(await parley.POST('/messages/template', { body }));
  expect(keys).toEqual([keys[0], keys[0]]);
  const found = await createClient(live).GET('/messages', { params: { query: { reference } } });
  expect(unwrap(found).data.map(({ id }) => id)).toEqual([sent.data.id]);

  const always = createClient({ ...live, fetch: async () => spoiled(), retry: { maxAttempts: 1 } });
  const lost = await always.POST('/messages/template', { body }).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(NoResponseError);
  expect(lost).toMatchObject({ idempotencyKey: expect.any(String), cause: expect.any(TypeError) });
});

test('an upload and a download end with their signal', async () => {
  const parley = createClient({ ...live, retry: { maxAttempts: 1 } });
  const endless = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  const upload = {
    type: 'image',
    file: endless,
    filename: 'a.png',
    mimeType: 'image/png',
  } as const;
  const stop = new AbortController();
  const uploading = uploadMedia(parley, { ...upload, signal: stop.signal });
  stop.abort(new Error('stopped'));
  await expect(uploading).rejects.toThrow('stopped');
  await expect(downloadMedia(parley, '1', { signal: stop.signal })).rejects.toThrow('stopped');
});

test('the log of events is followed through an outage, but not from a beginning that fails', async () => {
  let requests = 0;
  const fetch = async (request: Request) => {
    requests++;
    if (requests === 2) throw new TypeError('connection refused');
    if (requests === 3) return new Response('<html>', { status: 503 });
    return globalThis.fetch(request);
  };
  const parley = createClient({ ...live, fetch, retry: { maxAttempts: 1 } });
  const stop = new AbortController();
  const following = followEvents(parley, { limit: 1, waitSeconds: 0, signal: stop.signal });
  const first = await following.next();
  const second = await following.next();
  expect(requests).toBeGreaterThanOrEqual(4);
  expect(second.value?.events[0]?.id).not.toBe(first.value?.events[0]?.id);
  requests = 1;
  await expect(followEvents(parley).next()).rejects.toBeInstanceOf(NoResponseError);
});

test('the log of events is followed page by page, with typed events, until it is stopped', async () => {
  const parley = createClient(live);
  const template = { template_name: 'hello_world', template_language: 'en_US' };
  await parley.POST('/messages/template', {
    body: { phone_number: phone, ...template, reference: 'followed' },
  });
  const isOurs = ({ data }: ParleyEvent) => 'reference' in data && data.reference === 'followed';
  const stop = new AbortController();
  const seen: ParleyEvent[] = [];
  let cursor = '';
  const options = { types: ['message.*'], limit: 1, waitSeconds: 5, signal: stop.signal };
  for await (const { events, next } of followEvents(parley, options)) {
    seen.push(...events);
    cursor = next;
    if (seen.some((each) => isOurs(each) && each.event === 'message.delivered')) stop.abort();
  }
  const sent = seen.find((each) => isOurs(each) && each.event === 'message.sent');
  if (sent?.event !== 'message.sent') throw new Error('no message was sent');
  expectTypeOf(sent.data.sequence).toEqualTypeOf<number>();
  expect(sent.data).toMatchObject({ reference: 'followed', status: 'sent' });
  const rest = await parley.GET('/events', {
    params: { query: { after: cursor, types: 'message.sent' } },
  });
  expect(rest.data?.data).toEqual([]);
  const failing = followEvents(parley, { after: 'nonsense' }).next();
  await expect(failing).rejects.toMatchObject({ code: 'validation_failed', status: 422 });
  await expect(failing).rejects.toBeInstanceOf(ParleyError);
});

test('your own Idempotency-Key is used', async () => {
  const parley = createClient(live);
  const create = () =>
    parley.POST('/groups', {
      body: { name: 'Own key' },
      params: { header: { 'Idempotency-Key': 'order-1042' } },
    });
  const [first, second] = [await create(), await create()];
  expect(second.data).toEqual(first.data);
  expect(second.response.headers.get('idempotency-replayed')).toBe('true');
});

test('over the limit of the minute, the client waits as long as Retry-After says', async () => {
  const { place } = live;
  await place.parley('tenant', 'create', 'small', '--plan', 'starter', '--json');
  const abilities = ['--name', 'test', '--abilities', 'groups:read'];
  const { token } = JSON.parse(
    await place.parley('token', 'create', 'small', ...abilities, '--json'),
  );
  const waits: number[] = [];
  const parley = createClient({
    ...live,
    tenant: 'small',
    token,
    retry: {
      maxAttempts: 2,
      wait: async (ms) => {
        waits.push(ms);
      },
    },
  });
  // More than two minutes' limits, so that one minute is exceeded even if a new one begins meanwhile.
  const results = await Promise.all(Array.from({ length: 130 }, () => parley.GET('/groups')));
  const refused = results.filter(({ response }) => response.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(waits.length).toBeGreaterThanOrEqual(refused.length);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  for (const { response } of refused) {
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
});

test('the client has the version of the service', async () => {
  const versionIn = async (folder: string) => {
    const path = fileURLToPath(new URL(`${folder}package.json`, import.meta.url));
    return JSON.parse(await readFile(path, 'utf8')).version;
  };
  expect(await versionIn('../')).toBe(await versionIn('../../../'));
});

test('plain HTTP is refused, because it would expose the token', () => {
  expect(() => createClient({ ...live, url: 'http://localhost:8443' })).toThrow(/must be HTTPS/);
});

test('the example sends a one-time password with the package that npm would publish', async () => {
  const run = promisify(execFile);
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
  const place = await mkdtemp(join(tmpdir(), 'parley-client-'));
  const installed = join(place, 'node_modules/@parley/client');
  await mkdir(installed, { recursive: true });
  await run('npm', ['pack', '--pack-destination', place], { cwd: folder });
  const [tarball] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', join(place, tarball!), '--strip-components=1', '-C', installed]);
  for (const dependency of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await symlink(join(modules, dependency), join(place, 'node_modules', dependency));
  }
  await copyFile(`${folder}/examples/send-otp.ts`, join(place, 'send-otp.ts'));
  const env = {
    PARLEY_URL: live.url,
    PARLEY_TENANT: live.tenant,
    PARLEY_TOKEN: live.token,
    NODE_EXTRA_CA_CERTS: live.authority,
  };
  const { stdout } = await run(process.execPath, ['send-otp.ts'], { cwd: place, env });
  expect(stdout).toMatch(/^Ask for \d{6}; it was sent as wamid\.\S+\.\n$/);

  const program = `
    const { createClient, walk } = require('@parley/client');
    const { verifyWebhook } = require('@parley/client/webhooks');
    const { PARLEY_URL: url, PARLEY_TENANT: tenant, PARLEY_TOKEN: token } = process.env;
    const parley = createClient({ url, tenant, token });
    (async () => {
      const read = (after) => parley.GET('/contacts', { params: { query: { after, per_page: 1 } } });
      for await (const { id } of walk(read)) return console.log(typeof id, typeof verifyWebhook);
    })();`;
  await writeFile(join(place, 'list.cjs'), program);
  const listed = await run(process.execPath, ['list.cjs'], { cwd: place, env });
  expect(listed.stdout).toBe('number function\n');
  await rm(place, { recursive: true });
});
