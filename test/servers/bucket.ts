import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const region = 'test-1';
const secret = 'secret of the bucket';

/**
 * A bucket with the three operations of S3 that the service uses. It checks signatures and hashes by the description of
 * AWS Signature Version 4, and knows nothing of the service's client.
 */
export async function startBucket() {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    const hash = createHash('sha256').update(body).digest('hex');
    if (!isSigned(request)) return refuse(403, 'SignatureDoesNotMatch');
    if (request.headers['x-amz-content-sha256'] !== hash) return refuse(400, 'BadDigest');
    const { method, url = '' } = request;
    const stored = objects.get(url);
    if (method === 'PUT') {
      objects.set(url, body);
      response.end();
    } else if (method === 'DELETE') {
      objects.delete(url);
      response.writeHead(204).end();
    } else if (!stored) refuse(404, 'NoSuchKey');
    else {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      if (first === undefined) response.end(stored);
      else response.writeHead(206).end(stored.subarray(Number(first), Number(last) + 1));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      PARLEY_MEDIA_BUCKET: `http://127.0.0.1:${port}/files`,
      PARLEY_MEDIA_BUCKET_REGION: region,
      PARLEY_MEDIA_BUCKET_KEY_ID: 'key',
      PARLEY_MEDIA_BUCKET_SECRET: secret,
    },
    /** The stored files by their paths. */
    objects,
    close: () => server.close(),
  };
}

function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const [, credential, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=key\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const time = String(headers['x-amz-date']);
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const parts = [method, url, '', signed.join(''), names, headers['x-amz-content-sha256']];
  const request = createHash('sha256').update(parts.join('\n')).digest('hex');
  const key = scope
    .split('/')
    .reduce<Buffer | string>((under, part) => hmac(under, part), `AWS4${secret}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, request].join('\n'));
  return credential === scope && signature === expected.toString('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
