import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { signIn } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { openSentFile } from './open-sent-file.ts';

// 127.0.0.2 counts as a public address; every other loopback address as a private one.
const app = testApp({ PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.2/32' });
const megabyte = 1024 * 1024;
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGM4oKAARAAIRwIBVrfQ3wAAAABJRU5ErkJggg==',
  'base64',
);
let outside: Server;
let inside: Server;
let reachedInside = 0;
let outsideUrl: string;
let insideUrl: string;
/** Bytes of the long file that were written when its reader disconnected. */
let longFileWrittenBytes: number | undefined;

/** What the outer server responds after a file was sent. */
const responders: Record<string, RequestListener> = {
  '/a.png': (_, response) => serve(response, 'image/png'),
  '/list%20of%20prices.pdf': (_, response) =>
    response.setHeader('content-type', 'application/pdf; charset=binary').end('%PDF-1.4'),
  '/moved.png': (_, response) => response.writeHead(302, { location: '/a.png' }).end('moved'),
  '/round.png': (_, response) => response.writeHead(307, { location: '/round.png' }).end(),
  '/to-inside.png': (_, response) =>
    response.writeHead(302, { location: `${insideUrl}/a.png` }).end(),
  '/page.png': (_, response) => serve(response, 'text/html; charset=utf-8'),
  '/drawing.png': (_, response) => serve(response, 'image/svg+xml'),
  '/typeless.png': (_, response) => response.end(picture),
  '/gone.png': (_, response) => response.writeHead(404).end(picture),
  '/partial.png': (_, response) =>
    response.writeHead(206, { 'content-type': 'image/png' }).end(picture),
  '/packed.png': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' })
      .end(picture),
  '/says-huge.png': (_, response) => {
    response.writeHead(200, {
      'content-type': 'image/png',
      'content-length': 100 * megabyte + 1,
    });
    response.write('x');
  },
  '/chunked.png': (_, response) => {
    response.setHeader('content-type', 'image/png').write(picture.subarray(0, 3));
    response.end(picture.subarray(3));
  },
  '/long.png': (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 50 * megabyte });
    let written = 0;
    const more = () => {
      while (!response.destroyed && written < 50 * megabyte) {
        written += megabyte;
        if (!response.write(Buffer.alloc(megabyte))) return;
      }
    };
    response.on('drain', more);
    response.on('close', () => {
      longFileWrittenBytes = written;
    });
    more();
  },
  '/broken.png': (_, response) => response.writeHead(503).end(),
  '/cut.png': (_, response) => response.destroy(),
  '/silent.png': () => {},
  '/endless.png': (_, response) => {
    response.setHeader('content-type', 'image/png');
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(megabyte)));
    };
    response.on('drain', more);
    more();
  },
};

function serve(response: Parameters<RequestListener>[1], type: string) {
  response.setHeader('content-type', type).end(picture);
}

beforeAll(async () => {
  outside = createServer((request, response) => responders[request.url!]!(request, response));
  inside = createServer((_, response) => serve(response, 'image/png'));
  inside.on('connection', () => reachedInside++);
  outside.listen(0, '127.0.0.2');
  inside.listen(0, '127.0.0.1');
  await Promise.all([once(outside, 'listening'), once(inside, 'listening')]);
  outsideUrl = `http://127.0.0.2:${(outside.address() as AddressInfo).port}`;
  insideUrl = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
});
afterAll(() => {
  outside.closeAllConnections();
  outside.close();
  inside.close();
});

/** Inserts a sent message. Its URL may serve anything by now. */
async function sent(shop: TestTenant, kind: string, content: object): Promise<number> {
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    values (${shop.id}, ${shop.number.id}, 'out', '+14155550123', ${kind},
            ${JSON.stringify(content)}, 'sent')
    returning id`);
  return rows[0]!.id;
}

const sentImage = (shop: TestTenant, path: string) =>
  sent(shop, 'image', { media_url: outsideUrl + path });

test('a sent file is shown as its URL serves it', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop, 'staff');
  const send = await shop.call('POST', '/messages/media', {
    phone_number: '+14155550123',
    type: 'image',
    media_url: `${outsideUrl}/a.png`,
  });
  expect(send.status).toBe(200);
  const thread = await member.call('GET', '/conversation?phone=%2B14155550123');
  const path = `/conversation/media/${thread.body.data.messages[0].id}`;
  const response = await app.app.inject({
    url: `/dashboard-api/${shop.slug}${path}`,
    headers: { cookie: member.cookie },
  });
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload).toEqual(picture);
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(picture.length),
    'content-disposition': `inline; filename="a.png"; filename*=UTF-8''a.png`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });

  const moved = await sentImage(shop, '/moved.png');
  expect((await member.call('GET', `/conversation/media/${moved}`)).status).toBe(200);
  const header = { format: 'IMAGE', media_url: `${outsideUrl}/a.png` };
  const template = await sent(shop, 'template', { header, body: 'Hello' });
  expect((await member.call('GET', `/conversation/media/${template}`)).headers).toMatchObject({
    'content-type': 'image/png',
  });
});

test('a browser asks before it shows a file again, and gets nothing after sign-out or the deletion of the contact', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const { data } = (
    await shop.call('POST', '/contacts', { firstname: 'Ana', phone: '+14155550123' })
  ).body;
  const url = `/dashboard-api/${shop.slug}/conversation/media/${await sentImage(shop, '/a.png')}`;
  const get = async (headers: Record<string, string>) => {
    const { statusCode, headers: given, payload } = await app.app.inject({ url, headers });
    return { status: statusCode, headers: given, payload };
  };
  const first = await get({ cookie });
  const { etag } = first.headers as { etag: string };
  expect(first).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'private, no-cache', etag: expect.any(String) },
  });
  expect(await get({ cookie, 'if-none-match': etag })).toMatchObject({
    status: 304,
    payload: '',
    headers: { 'cache-control': 'private, no-cache', etag },
  });
  expect((await get({ cookie, 'if-none-match': '"another"' })).status).toBe(200);
  expect((await get({ 'if-none-match': etag })).status).toBe(401);
  await shop.call('DELETE', `/contacts/${data.id}`);
  expect((await get({ cookie, 'if-none-match': etag })).status).toBe(404);
});

test('a range request gets that range of the file', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const url = `/dashboard-api/${shop.slug}/conversation/media/${await sentImage(shop, '/a.png')}`;
  expect(picture).toHaveLength(70);
  for (const [range, status, part, contentRange] of [
    ['bytes=2-4', 206, [2, 5], 'bytes 2-4/70'],
    ['bytes=0-0', 206, [0, 1], 'bytes 0-0/70'],
    ['bytes=67-', 206, [67, 70], 'bytes 67-69/70'],
    ['bytes=67-500', 206, [67, 70], 'bytes 67-69/70'],
    ['bytes=-3', 206, [67, 70], 'bytes 67-69/70'],
    ['bytes=-500', 206, [0, 70], 'bytes 0-69/70'],
    ['bytes=70-', 416, [0, 0], 'bytes */70'],
    ['bytes=-0', 416, [0, 0], 'bytes */70'],
    ['bytes=0-1,4-5', 200, [0, 70], undefined],
    ['bytes=5-2', 200, [0, 70], undefined],
    ['bytes=-', 200, [0, 70], undefined],
    ['pages=1-2', 200, [0, 70], undefined],
  ] as const) {
    const response = await app.app.inject({ url, headers: { cookie, range } });
    expect([range, response.statusCode]).toEqual([range, status]);
    expect(response.headers['accept-ranges'], range).toBe('bytes');
    expect(response.headers['content-range'], range).toBe(contentRange);
    if (status === 416) {
      expect(response.json().code).toBe('range_not_satisfiable');
      continue;
    }
    expect(response.rawPayload, range).toEqual(picture.subarray(...part));
    expect(response.headers['content-length'], range).toBe(String(part[1] - part[0]));
  }

  const other = { cookie, range: 'bytes=2-4', 'if-range': '"as it was"' };
  expect((await app.app.inject({ url, headers: other })).rawPayload).toEqual(picture);
  expect((await app.app.inject({ method: 'HEAD', url, headers: { cookie } })).statusCode).toBe(404);
});

test('a token gets the file of a message by its link, always as a download', async () => {
  const shop = await app.tenant();
  await sentImage(shop, '/a.png');
  const [{ content }] = (await shop.call('GET', '/messages?type=image')).body.data;
  expect(content.media).toMatchObject({ url: `${outsideUrl}/a.png` });
  const { link } = content.media;
  const authorization = `Bearer ${shop.token}`;
  const get = (headers: object, url = link) =>
    app.app.inject({ url, headers: { authorization, ...headers } });
  const whole = await get({});
  expect([whole.statusCode, whole.rawPayload]).toEqual([200, picture]);
  expect(whole.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="a.png"; filename*=UTF-8''a.png`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const part = await get({ range: 'bytes=2-4' });
  expect([part.statusCode, part.rawPayload]).toEqual([206, picture.subarray(2, 5)]);
  const outside = await get({ range: 'bytes=70-' });
  expect([outside.statusCode, outside.json().code]).toEqual([416, 'range_not_satisfiable']);

  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const { id } = (await shop.call('POST', '/messages/send', text)).body.data;
  const folder = link.replace(/[^/]+$/, '');
  for (const name of [`message-${id}`, 'message-0', 'message-999999', 'message-1e3', '42', '%00']) {
    expect((await get({}, `${folder}${name}`)).statusCode, name).toBe(404);
  }
  const other = await app.tenant();
  const sender = await app.tenant({ abilities: ['messages:read'] });
  expect((await other.call('GET', link.split(shop.slug)[1])).status).toBe(404);
  expect((await sender.call('GET', link.split(shop.slug)[1])).status).toBe(403);
  expect((await get({ authorization: 'Bearer nobody' })).statusCode).toBe(401);
});

test('a file of unknown length is sent whole', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const id = await sentImage(shop, '/chunked.png');
  const response = await app.app.inject({
    url: `/dashboard-api/${shop.slug}/conversation/media/${id}`,
    headers: { cookie, range: 'bytes=2-4' },
  });
  expect([response.statusCode, response.rawPayload]).toEqual([200, picture]);
  expect(response.headers['accept-ranges']).toBeUndefined();
});

test('nothing is downloaded beyond the requested range', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const id = await sentImage(shop, '/long.png');
  const response = await fetch(`${app.url}/dashboard-api/${shop.slug}/conversation/media/${id}`, {
    headers: { cookie, range: 'bytes=0-1' },
  });
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([206, 2]);
  await eventually(async () => longFileWrittenBytes);
  expect(longFileWrittenBytes).toBeLessThan(50 * megabyte);
});

test('a file of a message from before the number was connected is shown by its negative id', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  const id = await sentImage(shop, '/a.png');
  await app.db.query(sql`update messages set id = -id where tenant_id = ${shop.id}`);
  const statusOf = async (path: string) =>
    (await member.call('GET', `/conversation/media/${path}`)).status;
  expect(await statusOf(`-${id}`)).toBe(200);
  for (const bad of [id, '0', '-0', `--${id}`, `-${id}.5`, 'x', `-${'9'.repeat(17)}`]) {
    expect([bad, await statusOf(String(bad))]).toEqual([bad, 404]);
  }
});

test('a file that is not an image, video or audio is downloaded, not shown', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  for (const path of ['/page.png', '/drawing.png', '/typeless.png']) {
    const response = await member.call('GET', `/conversation/media/${await sentImage(shop, path)}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers, path).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${path.slice(1)}"; filename*=UTF-8''${path.slice(1)}`,
      'x-content-type-options': 'nosniff',
    });
  }
  const media_url = `${outsideUrl}/list%20of%20prices.pdf`;
  const names = [
    [{ media_url }, 'list of prices.pdf', 'list%20of%20prices.pdf'],
    [{ media_url, filename: 'Prices.pdf' }, 'Prices.pdf', 'Prices.pdf'],
    // Clients that know the first form only must not see an end of the name, a folder or another charset.
    [{ media_url, filename: 'Ä"/\\%41.pdf' }, '_____41.pdf', '%C3%84%22%2F%5C%2541.pdf'],
  ] as const;
  for (const [content, ascii, name] of names) {
    const id = await sent(shop, 'document', content);
    const { headers } = await member.call('GET', `/conversation/media/${id}`);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="${ascii}"; filename*=UTF-8''${name}`,
    );
  }
});

test.each([
  '/gone.png',
  '/partial.png',
  '/packed.png',
  '/says-huge.png',
  '/round.png',
  '/to-inside.png',
])('a response without a usable file at %s is a 404', async (path) => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  const response = await member.call('GET', `/conversation/media/${await sentImage(shop, path)}`);
  expect(response.status).toBe(404);
  expect(response.body).toEqual({
    success: false,
    message: 'Not found.',
    errors: {},
    code: 'not_found',
  });
  expect(reachedInside).toBe(0);
});

test.each([
  'http://127.0.0.1:PORT/a.png',
  'http://localhost:PORT/a.png',
  'http://[::ffff:127.0.0.1]:PORT/a.png',
  'http://169.254.169.254/latest/meta-data/',
  'file:///etc/passwd',
])('%s is refused, and no private address is reached', async (address) => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  const media_url = address.replace('PORT', new URL(insideUrl).port);
  const id = await sent(shop, 'image', { media_url });
  expect((await member.call('GET', `/conversation/media/${id}`)).status).toBe(404);
  expect(reachedInside).toBe(0);
});

test('an unavailable file server is a 500 with a clear message', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop);
  const paths = ['/broken.png', '/cut.png'];
  const found = await Promise.all(
    paths.map(async (path) =>
      member.call('GET', `/conversation/media/${await sentImage(shop, path)}`),
    ),
  );
  for (const response of found) {
    expect(response.status).toBe(500);
    expect(response.body.message).toBe('The server of the file is unavailable. Try again later.');
  }
  const files = createOutbound({
    allowPrivate: app.services.config.allowPrivateAddresses,
    requireHttps: false,
  });
  const silent = openSentFile(files, `${outsideUrl}/silent.png`, null, 300);
  await expect(silent).rejects.toMatchObject({
    status: 500,
    message: 'The server of the file is unavailable. Try again later.',
  });
  await files.close();
});

test('a file of another tenant, of no message and of a message without a file are the same 404', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const member = await signIn(app, other);
  const foreign = await sentImage(shop, '/a.png');
  const text = await sent(other, 'text', { text: 'Hello' });
  const responses = await Promise.all(
    [foreign, text, 999_999_999].map((id) => member.call('GET', `/conversation/media/${id}`)),
  );
  for (const { status, body } of responses) {
    expect([status, body]).toEqual([
      404,
      { success: false, message: 'Not found.', errors: {}, code: 'not_found' },
    ]);
  }
});

test('a body without an end is aborted at 100 MB, so that it is not taken for a whole file', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const id = await sentImage(shop, '/endless.png');
  const response = await fetch(`${app.url}/dashboard-api/${shop.slug}/conversation/media/${id}`, {
    headers: { cookie },
  });
  expect(response.status).toBe(200);
  let bytes = 0;
  const read = async () => {
    for await (const chunk of response.body!) bytes += chunk.length;
  };
  await expect(read()).rejects.toThrow();
  expect(bytes).toBeLessThanOrEqual(100 * megabyte);
  expect(bytes).toBeGreaterThan(90 * megabyte);
});
