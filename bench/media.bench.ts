import { readFile, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { openPlace } from './open-place.ts';
import { startServer } from './processes.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Measures the server's memory while it checks documents of 100 MB for many sends at once, and while it passes on
 * uploads of 100 MB. Each tenant makes ten sends, because more would wait for each other. The aim is at most 20 MB more
 * memory for 20 uploads.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    sends: { type: 'string', default: '50' },
    uploads: { type: 'string', default: '20' },
  },
});
const sends = Number(values.sends);
const uploads = Number(values.uploads);
const megabyte = Buffer.alloc(1024 * 1024, 'x');
const sendsOfTenant = 10;

const { environment, services, close } = await openPlace();
const files = await startServer('bench/file-server.ts', {});
const stub = await startServer('bench/network-stub.ts', {});
const parley = await startServer('bench/parley.ts', {
  ...environment,
  PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
  PARLEY_PORT: '0',
  PARLEY_ROLES: 'api',
});
const pid = parley.child.pid!;
let round = 0;
const dispatcher = new Agent({
  allowH2: false,
  connections: Math.max(sends, uploads),
  connect: { rejectUnauthorized: false },
});
try {
  const shops: Shop[] = [];
  for (let n = 0; n < sends / sendsOfTenant; n++) {
    const slug = `bench-${n}`;
    shops.push({ slug, token: (await seedSender(services, slug, 1)).tokens[0]! });
  }
  if (sends > 0) {
    for (let warm = 0; warm < 5; warm++) await sendAll(shops, '/small');
    for (const path of ['/known', '/unknown']) {
      await measure(`${sends} documents of 100 MB, length ${path.slice(1)}`, () =>
        sendAll(shops, path),
      );
    }
  }
  if (uploads > 0) {
    const uploader = await seedSender(services, 'uploads', 1);
    const shop = { slug: 'uploads', token: uploader.tokens[0]! };
    for (let warm = 0; warm < 5; warm++) await uploadAll(shop, 1);
    for (let time = 0; time < 3; time++) {
      await measure(`${uploads} uploads of 100 MB`, () => uploadAll(shop, 100));
    }
  }
} finally {
  await dispatcher.close();
  for (const server of [parley, stub, files]) await server.stop();
  await close();
}

/** Prints how far the server's memory grows while `work` runs. */
async function measure(what: string, work: () => Promise<number[]>): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await megabytes('VmHWM');
  const startedAt = performance.now();
  const statuses = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const peak = await megabytes('VmHWM');
  const accepted = statuses.filter((status) => status === 200).length;
  process.stdout.write(
    `${what}: ${accepted} in ${seconds.toFixed(1)} s,` +
      ` memory ${before.toFixed(1)} MB, peak ${peak.toFixed(1)} MB (+${(peak - before).toFixed(1)})\n`,
  );
}

/** Uploads texts of so many MB at once. */
function uploadAll({ slug, token }: Shop, size: number): Promise<number[]> {
  const boundary = 'form';
  async function* form() {
    yield Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="type"\r\n\r\ndocument\r\n` +
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n` +
        'content-type: text/plain\r\n\r\n',
    );
    for (let sent = 0; sent < size; sent++) yield megabyte;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const one = async () => {
    const response = await request(`https://127.0.0.1:${parley.port}/api/${slug}/media`, {
      dispatcher,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: form() as unknown as Readable,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    await response.body.dump();
    return response.statusCode;
  };
  return Promise.all(Array.from({ length: uploads }, one));
}

type Shop = { slug: string; token: string };

/** Each send has another file, because sends of the same file share its check. */
function sendAll(shops: Shop[], path: string): Promise<number[]> {
  const one = async (_: unknown, index: number) => {
    const { slug, token } = shops[index % shops.length]!;
    const response = await request(`https://127.0.0.1:${parley.port}/api/${slug}/messages/media`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        phone_number: '+14155550123',
        type: 'document',
        media_url: `http://127.0.0.1:${files.port}${path}?${round}.${index}`,
      }),
    });
    await response.body.dump();
    return response.statusCode;
  };
  round++;
  return Promise.all(Array.from({ length: sends }, one));
}

async function megabytes(field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
}
