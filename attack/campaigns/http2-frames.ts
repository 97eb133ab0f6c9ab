import { setTimeout as pause } from 'node:timers/promises';
import {
  endStream,
  frame,
  headerBlock,
  numberFrame,
  type RawHttp2,
  request,
  settings,
  speakHttp2,
  target,
} from '../../test/servers/http2-frames.ts';
import { openTls } from '../open-tls.ts';
import type { Attack } from './campaign.ts';

const campaign = 'http2 frames';
/** Linux's buffers of a connection, what nghttp2 allows, and two seconds until the next check. */
const maxFloodBytes = 512 * 1024 * 1024;
/** Within this time a form has had its response, if it gets one. In a single round, one must have got it. */
const formMs = { ofMany: 150, ofOne: 2_000 };
/** A slow client is cut within 65 s, and an unread response within 92 s. */
const cutWithinMs = 100_000;

const ping = frame('ping', { payload: Buffer.alloc(8) });
const block = headerBlock([['x', 'y'.repeat(100)]]);
const openBlock = frame('headers', { stream: 1, payload: block });
/** An entry of 4 KB in the dynamic table, then references to it (RFC 7541, section 6.1). */
const bomb = Buffer.concat([
  headerBlock(target('GET', '/')),
  Buffer.from([0x40, 1, 0x78, 0x7f, 0x81, 0x1e]),
  Buffer.alloc(4_000, 'y'),
  Buffer.alloc(12_000, 0xbe),
]);

/** Requests and frames that are malformed. Each must get a 4xx, a reset or a cut. */
function malformedForms(slug: string): Buffer[] {
  const get = target('GET', `/api/${slug}/contacts`);
  const headers = [
    [...get, [':path', '/api/victim/contacts']],
    [...get, ['transfer-encoding', 'chunked']],
    [...get, ['connection', 'close']],
    [...get, ['host', 'evil.example']],
    [...get, [':protocol', 'websocket']],
    [...get, ['content-length', '5']],
    [...get, ['x', 'a\r\nauthorization: b']],
    [...get, ['x\r\ny', 'z']],
    [...get, ['X-Upper', 'z']],
    [...get, ...Array(5_000).fill(['a', 'b'])],
    target('CONNECT', '/'),
    target('FOO', '/'),
    target('GET', `/${'a'.repeat(60_000)}`),
    target('GET', '/\0'),
    target('GET', ''),
    get.slice(1),
  ] as [string, string][][];
  return [
    ...headers.map((each) => inFrames(each)),
    frame('data', { stream: 1, payload: Buffer.alloc(10) }),
    frame('headers', { flags: 5, stream: 2, payload: headerBlock(get) }),
    frame('headers', { flags: 5, stream: 0, payload: headerBlock(get) }),
    frame('headers', { flags: 5, stream: 1, payload: Buffer.alloc(100, 0xff) }),
    frame('headers', { flags: 5, stream: 1, payload: bomb }),
    frame('continuation', { flags: 4, stream: 1, payload: block }),
    frame('ping', { payload: Buffer.alloc(7) }),
    frame('settings', { payload: Buffer.alloc(5) }),
    settings([4, 2 ** 31]),
    settings([5, 1]),
    numberFrame('windowUpdate', 0, 0),
    numberFrame('windowUpdate', 0, 2 ** 31 - 1),
    numberFrame('reset', 1, 8),
    Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]),
    Buffer.concat([openBlock, ping]),
  ];
}

/** Floods that cost the sender less than the service. Each must end the connection. */
const floods: [name: string, bytes: (round: number) => Buffer][] = [
  [
    'rapid reset',
    (round) => {
      const stream = 2 * round + 1;
      return Buffer.concat([request(stream, target('GET', '/')), numberFrame('reset', stream, 8)]);
    },
  ],
  [
    'CONTINUATION',
    (round) =>
      round === 0 ? openBlock : repeat(frame('continuation', { stream: 1, payload: block })),
  ],
  [
    'empty CONTINUATION',
    (round) => (round === 0 ? openBlock : repeat(frame('continuation', { stream: 1 }))),
  ],
  ['HPACK', (round) => frame('headers', { flags: 5, stream: 2 * round + 1, payload: bomb })],
  ['SETTINGS', () => repeat(settings([4, 65_535]))],
  ['PING', () => repeat(ping)],
  [
    'PRIORITY',
    () => repeat(frame('priority', { stream: 1, payload: Buffer.from([0, 0, 0, 3, 1]) })),
  ],
  ['WINDOW_UPDATE', () => repeat(numberFrame('windowUpdate', 0, 1))],
  [
    'empty DATA',
    (round) => (round === 0 ? post('/auth/sign-in/email') : repeat(frame('data', { stream: 1 }))),
  ],
  ['endless body', (round) => (round === 0 ? post('/api/nobody/messages/send') : data)],
];

/** The cases of HTTP/2: malformed frames, floods, endless bodies, unread responses and slow clients. */
export async function attackHttp2(attack: Attack, inputs: number): Promise<void> {
  const forms = malformedForms(attack.scene.attacker.slug);
  const rounds = Math.ceil(inputs / forms.length);
  const isLong = inputs >= 200;
  const held = isLong ? slowKinds : [];
  await Promise.all([
    (async () => {
      for (let round = 0; round < rounds; round++) {
        const waitMs = rounds > 1 ? formMs.ofMany : formMs.ofOne;
        await Promise.all(forms.map((form) => oneForm(attack, form, waitMs)));
      }
      for (const flood of floods) await oneFlood(attack, flood);
    })(),
    ...held.map((kind) => slowClient(attack, kind)),
  ]);
}

async function oneForm({ scene, tally }: Attack, bytes: Buffer, waitMs: number): Promise<void> {
  const raw = await open(scene.url);
  await raw.send(bytes);
  await Promise.race([raw.ended, pause(waitMs)]);
  tally.add(campaign, statusOf(raw));
  if ((statusOf(raw) ?? 400) === 500) {
    tally.fault({ kind: 'server error', campaign, detail: bytes.toString('hex', 0, 100) });
  }
  if (raw.frames.some(({ type, payload }) => type === 0 && payload.includes('"success":true'))) {
    tally.fault({ kind: 'breach', campaign, detail: `served: ${bytes.toString('hex', 0, 100)}` });
  }
  raw.socket.destroy();
}

async function oneFlood(
  { scene, tally }: Attack,
  [name, bytes]: (typeof floods)[number],
): Promise<void> {
  const raw = await open(scene.url);
  let isOpen = true;
  void raw.ended.then(() => {
    isOpen = false;
  });
  let sent = 0;
  for (let round = 0; isOpen && sent < maxFloodBytes; round++) {
    const chunk = bytes(round);
    sent += chunk.length;
    await raw.send(chunk);
    await new Promise(setImmediate);
  }
  tally.add(campaign, statusOf(raw));
  if (sent >= maxFloodBytes) {
    tally.fault({ kind: 'breach', campaign, detail: `${sent} bytes of a flood of ${name}` });
  }
  raw.socket.destroy();
}

const slowKinds = [
  'no preface',
  'no request',
  'half headers',
  'slow body',
  'closed window',
] as const;

/** Holds a connection or a request as long as possible. The service must cut it. */
async function slowClient(
  { scene, tally }: Attack,
  kind: (typeof slowKinds)[number],
): Promise<void> {
  const raw =
    kind === 'no preface'
      ? speakHttp2(await openTls(scene.url, '127.0.0.3', ['h2']), Buffer.alloc(0))
      : await open(scene.url, kind === 'closed window' ? settings([4, 0]) : undefined);
  if (kind === 'half headers') await raw.send(openBlock);
  if (kind === 'slow body') await raw.send(post('/auth/sign-in/email'));
  if (kind === 'closed window') {
    await raw.send(request(1, target('GET', '/docs/swagger-ui-bundle.js')));
  }
  const drip = setInterval(() => {
    if (kind === 'slow body') void raw.send(frame('data', { stream: 1, payload: Buffer.alloc(1) }));
    if (kind === 'no request') void raw.send(ping);
  }, 2_000);
  const cut =
    kind === 'closed window' || kind === 'slow body'
      ? raw.next({ type: 'reset', stream: 1 })
      : raw.ended;
  const isCut = await Promise.race([cut.then(() => true), pause(cutWithinMs)]);
  clearInterval(drip);
  tally.add(campaign, statusOf(raw));
  if (!isCut) tally.fault({ kind: 'hang', campaign, detail: `${kind}: not cut` });
  raw.socket.destroy();
}

async function open(url: string, opening?: Buffer): Promise<RawHttp2> {
  return speakHttp2(await openTls(url, '127.0.0.4', ['h2']), opening);
}

const data = frame('data', { stream: 1, payload: Buffer.alloc(16_384, ' ') });

function post(path: string): Buffer {
  return request(1, [...target('POST', path), ['content-type', 'application/json']], 0);
}

function inFrames(headers: [string, string][]): Buffer {
  const whole = headerBlock(headers);
  const parts = Array.from({ length: Math.ceil(whole.length / 16_384) }, (_each, index) =>
    whole.subarray(index * 16_384, (index + 1) * 16_384),
  );
  return Buffer.concat(
    parts.map((payload, index) =>
      frame(index === 0 ? 'headers' : 'continuation', {
        flags: (index === 0 ? endStream : 0) | (index === parts.length - 1 ? 4 : 0),
        stream: 1,
        payload,
      }),
    ),
  );
}

function repeat(bytes: Buffer): Buffer {
  return Buffer.concat(Array(1 + Math.floor(16_384 / bytes.length)).fill(bytes));
}

/** The status of a response, if its first byte is one of the static table (RFC 7541, appendix A). */
function statusOf({ frames }: RawHttp2): number | undefined {
  const head = frames.find(({ type, stream }) => type === 1 && stream === 1)?.payload[0] ?? 0;
  return { 136: 200, 140: 400, 141: 404, 142: 500 }[head];
}
