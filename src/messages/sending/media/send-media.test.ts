import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { moveToFreshMinute } from '../../../../test/program/clock.ts';
import { onThePhone } from '../../../../test/servers/phone.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { createMediaChecker } from './check-media.ts';

// 127.0.0.2 stands for the public internet, and all other addresses of this machine for a private network.
const app = testApp({ PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.2/32' });
const megabyte = 1024 * 1024;
let outside: Server;
let inside: Server;
let reachedInside = 0;
let port: number;
let insidePort: number;
let dropped: Promise<unknown>;

/** The handler of each path of the public server. */
const handlers: Record<string, RequestListener> = {
  '/a.png': (_, response) => file(response, 'image/png', 1_000),
  '/a.jpg': (_, response) => file(response, 'image/jpeg; charset=binary', 5 * megabyte),
  '/a.gif': (_, response) => file(response, 'image/gif', 1_000),
  '/a.pdf': (_, response) => file(response, 'application/pdf', 1_000),
  '/a.mp4': (_, response) => file(response, 'video/mp4', 16 * megabyte),
  '/a.ogg': (_, response) => file(response, 'audio/ogg; codecs=opus', 1_000),
  '/untyped': (_, response) => response.end('x'),
  '/empty.png': (_, response) => file(response, 'image/png', 0),
  '/missing.png': (_, response) => response.writeHead(404, { 'content-type': 'image/png' }).end(),
  '/moved.png': (_, response) => response.writeHead(302, { location: '/a.png' }).end(),
  '/round': (_, response) => response.writeHead(302, { location: '/round' }).end(),
  '/nowhere': (_, response) => response.writeHead(302).end(),
  '/to-inside': (_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${insidePort}/a.png` }).end(),
  '/to-file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/large.png': (_, response) => file(response, 'image/png', 5 * megabyte + 1),
  '/endless.png': (_, response) => {
    response.setHeader('content-type', 'image/png');
    dropped = once(response, 'close');
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(megabyte)));
    };
    response.on('drain', more);
    more();
  },
  '/drip.png': (_, response) => {
    response.setHeader('content-type', 'image/png');
    const timer = setInterval(() => response.write('x'), 1_000);
    response.write('x');
    response.on('close', () => clearInterval(timer));
  },
  '/drip-of-known-length.png': (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' });
    const timer = setInterval(() => response.write('x'), 1_000);
    response.write('x');
    response.on('close', () => clearInterval(timer));
  },
  '/silent.png': () => {},
  '/says-more.png': (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '5000' });
    response.write('x'.repeat(1_000), () => response.destroy());
  },
  '/says-huge.png': (_, response) => {
    const length = String(Number.MAX_SAFE_INTEGER);
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': length });
    response.write('x');
  },
  '/says-less.png': (_, response) => {
    response.socket!.end(
      `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 10\r\n\r\n${'x'.repeat(megabyte)}`,
    );
  },
  '/says-nonsense.png': (_, response) => {
    response.socket!.end(
      'HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: -1\r\n\r\nx',
    );
  },
};

function file(response: Parameters<RequestListener>[1], type: string, bytes: number) {
  response.setHeader('content-type', type);
  response.end(Buffer.alloc(bytes));
}

beforeAll(async () => {
  outside = createServer((request, response) => handlers[request.url!]!(request, response));
  inside = createServer((_, response) => file(response, 'image/png', 1_000));
  inside.on('connection', () => reachedInside++);
  outside.listen(0, '127.0.0.2');
  inside.listen(0, '127.0.0.1');
  await Promise.all([once(outside, 'listening'), once(inside, 'listening')]);
  port = (outside.address() as AddressInfo).port;
  insidePort = (inside.address() as AddressInfo).port;
});
afterAll(() => {
  outside.closeAllConnections();
  outside.close();
  inside.close();
});

const urlOf = (path: string) => `http://127.0.0.2:${port}${path}`;

function sendMedia(shop: TestTenant, type: string, url: string, fields: object = {}) {
  return shop.call('POST', '/messages/media', {
    phone_number: '+14155550123',
    type,
    media_url: url,
    ...fields,
  });
}

describe('a file', () => {
  test.each([
    ['image', '/a.png', { caption: 'A view', filename: 'x.png' }, { caption: 'A view' }],
    ['image', '/moved.png', {}, {}],
    ['image', '/a.jpg', {}, {}],
    ['video', '/a.mp4', { caption: 'A film' }, { caption: 'A film' }],
    ['audio', '/a.ogg', { caption: 'No' }, {}],
    ['document', '/a.pdf', { caption: null, filename: null }, {}],
    ['document', '/a.pdf', { caption: '', filename: '' }, {}],
    ['document', '/a.pdf', { filename: ' \u200b' }, {}],
    ['document', '/a.pdf', { filename: ' Yours.pdf ' }, { filename: 'Yours.pdf' }],
    [
      'document',
      '/a.pdf',
      { caption: 'Yours', filename: 'Invoice 7.pdf' },
      { caption: 'Yours', filename: 'Invoice 7.pdf' },
    ],
  ])('of type %s at %s is sent', async (type, path, fields, passedOn) => {
    const shop = await app.tenant();
    const sent = await sendMedia(shop, type, urlOf(path), fields);
    expect(sent.body).toMatchObject({
      success: true,
      data: { phone_number: '+14155550123', status: 'sent' },
    });
    const [message] = await onThePhone(app, shop);
    expect(message.wamid).toBe(sent.body.data.message_id);
    expect(message.payload[type]).toEqual({ link: urlOf(path), ...passedOn });
  });

  test.each([
    ['a space before it', (url: string) => ` ${url}`],
    ['a line break after it', (url: string) => `${url}\n`],
    ['a tab inside', (url: string) => url.replace('a.png', 'a\t.png')],
    ['no slashes', (url: string) => url.replace('http://', 'http:')],
    ['backslashes', (url: string) => url.replaceAll('/', '\\')],
    ['digits of another script', (url: string) => url.replace('127', '１２７')],
  ])('is sent with the address that was checked if the request has %s', async (_, change) => {
    const shop = await app.tenant();
    expect((await sendMedia(shop, 'image', change(urlOf('/a.png')))).status).toBe(200);
    const [message] = await onThePhone(app, shop);
    expect(message.payload.image).toEqual({ link: urlOf('/a.png') });
  });

  test('is shown in the conversation with its type and size', async () => {
    const shop = await app.tenant();
    await sendMedia(shop, 'image', urlOf('/a.png'), { caption: 'A view' });
    const { rows } = await app.db.pool.query(
      'select kind, content from stored_messages where tenant_id = $1',
      [shop.id],
    );
    const content = {
      media_url: urlOf('/a.png'),
      caption: 'A view',
      mime_type: 'image/png',
      bytes: 1_000,
    };
    expect(rows).toEqual([{ kind: 'image', content }]);
  });
});

test('one file for many phones at the same time is fetched once', async () => {
  const shop = await app.tenant();
  let fetched = 0;
  handlers['/counted.png'] = (_, response) => {
    fetched++;
    setTimeout(() => file(response, 'image/png', 1_000), 50);
  };
  const sends = Array.from({ length: 20 }, () => sendMedia(shop, 'image', urlOf('/counted.png')));
  expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(fetched).toBe(1);
  expect((await sendMedia(shop, 'document', urlOf('/counted.png'))).status).toBe(422);
});

describe('422 on media_url, and nothing is sent', () => {
  test.each([
    [
      'image',
      '/a.gif',
      /^is of type image\/gif; for type image the network takes image\/jpeg, image\/png$/,
    ],
    ['image', '/a.pdf', /^is of type application\/pdf/],
    ['document', '/a.png', /^is of type image\/png/],
    ['image', '/untyped', /^names no content type/],
    ['image', '/empty.png', /^is an empty file$/],
    ['image', '/missing.png', /^responded with HTTP 404, not 200$/],
    ['image', '/large.png', /^is 5\.1 MB long; for type image the limit is 5 MB$/],
    ['image', '/endless.png', /^is longer than 5 MB; for type image the limit is 5 MB$/],
    ['image', '/says-huge.png', /MB long; for type image the limit is 5 MB$/],
    ['image', '/says-more.png', /^could not be fetched: the host closed the connection early/],
    ['image', '/says-nonsense.png', /^could not be fetched: the response was not valid HTTP/],
    ['image', '/round', /^redirects more than 3 times$/],
    ['image', '/nowhere', /^responded with HTTP 302, not 200$/],
    ['image', '/to-inside', /^is refused: 127\.0\.0\.1 is not a public address/],
    ['image', '/to-file', /^is refused: Only https:\/\/ and http:\/\/ URLs can be called/],
  ])('%s at %s', async (type, path, message) => {
    const shop = await app.tenant();
    const response = await sendMedia(shop, type, urlOf(path));
    expect(response.status).toBe(422);
    expect(response.body.errors.media_url[0]).toMatch(message);
    expect(await onThePhone(app, shop)).toEqual([]);
    if (path === '/endless.png') await dropped;
  });

  // outbound.test.ts has the other forms of addresses.
  test.each([
    'http://127.0.0.1:PORT/a.png',
    'http://files.localhost:PORT/a.png',
    'http://[::ffff:7f00:1]:PORT/a.png',
    'http://10.0.0.1/a.png',
    'http://user:secret@127.0.0.1:PORT/a.png',
    'ftp://127.0.0.1:PORT/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'no address at all',
    '',
  ])('%s reaches nothing inside', async (url) => {
    const shop = await app.tenant();
    const response = await sendMedia(shop, 'image', url.replace('PORT', String(insidePort)));
    expect(response.status).toBe(422);
    expect(response.body.errors.media_url).toHaveLength(1);
    expect(await onThePhone(app, shop)).toEqual([]);
    expect(reachedInside).toBe(0);
  });

  test('a name with a private address, even among public ones', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1']]) {
      const outbound = createOutbound({
        allowPrivate: [],
        requireHttps: false,
        lookup: async () => addresses,
      });
      const checked = await createMediaChecker(outbound)(
        1,
        `http://files.example.com:${insidePort}/a.png`,
        'image',
      );
      expect(checked).toMatchObject({ problem: { text: expect.stringMatching(/^is refused: /) } });
      await outbound.close();
    }
    expect(reachedInside).toBe(0);
  });

  test('a server that sends slowly or nothing is abandoned after the timeout', async () => {
    const outbound = createOutbound({
      allowPrivate: app.services.config.allowPrivateAddresses,
      requireHttps: false,
    });
    const checkMedia = createMediaChecker(outbound, 500);
    const paths = ['/drip.png', '/drip-of-known-length.png', '/silent.png'];
    const slow = await Promise.all(paths.map((path) => checkMedia(1, urlOf(path), 'image')));
    for (const checked of slow) {
      expect(checked).toMatchObject({
        problem: { text: 'could not be fetched: it took longer than 0.5 s' },
        passing: true,
      });
    }
    await outbound.close();
  });
});

test('a Content-Length below the size of the body limits the body, as in every HTTP client', async () => {
  const shop = await app.tenant();
  expect((await sendMedia(shop, 'image', urlOf('/says-less.png'))).status).toBe(200);
});

test('faults of the file are reported with those of other fields, within the minute of the token', async () => {
  const shop = await app.tenant({ plan: 'starter' });
  let fetched = 0;
  handlers['/watched.gif'] = (_, response) => {
    fetched++;
    file(response, 'image/gif', 1_000);
  };
  await moveToFreshMinute(app);
  const send = (type = 'image') =>
    shop.call('POST', '/messages/media', {
      phone_number: '1',
      type,
      media_url: urlOf('/watched.gif'),
    });
  expect((await send()).body.errors).toEqual({
    phone_number: [expect.stringMatching(/^must be a phone number/)],
    media_url: [expect.stringMatching(/^is of type image\/gif/)],
  });
  expect(Object.keys((await send('sticker')).body.errors)).toEqual(['phone_number', 'type']);
  expect(fetched).toBe(1);
  await Promise.all(Array.from({ length: 58 }, () => shop.call('GET', '/messages/none')));
  expect((await send()).status).toBe(429);
  expect(fetched).toBe(1);
});

test('all fields of a wrong type are reported together', async () => {
  const shop = await app.tenant();
  const response = await shop.call('POST', '/messages/media', { type: 'sticker', filename: 7 });
  expect(response.status).toBe(422);
  expect(response.body.errors).toEqual({
    phone_number: ['is required'],
    type: ['must be one of image, document, video, audio'],
    media_url: ['is required'],
    filename: ['must be a string or null'],
  });
  const twoLines = { phone_number: '+14155550123', type: 'document', filename: 'a\r\nb.pdf' };
  const named = await shop.call('POST', '/messages/media', {
    ...twoLines,
    media_url: urlOf('/a.pdf'),
  });
  expect(named.body.errors).toEqual({
    filename: ['must be on one line; it has a line break at character 2'],
  });
});

test('sending media needs its own ability', async () => {
  const shop = await app.tenant({ abilities: ['messages:text', 'messages:template'] });
  expect((await sendMedia(shop, 'image', urlOf('/a.png'))).status).toBe(403);
});
