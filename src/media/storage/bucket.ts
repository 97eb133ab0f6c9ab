import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { AwsV4Signer } from 'aws4fetch';
import { buildConnector, type Dispatcher } from 'undici';
import type { Config } from '../../config.ts';
import { createClient } from '../../platform/outbound/create-client.ts';
import { onread } from '../../platform/outbound/responses/feed-parser.ts';
import { openResponse } from '../../platform/outbound/responses/open-response.ts';
import { type ReceivedResponse, sendRequest } from '../../platform/outbound/send-request.ts';
import { createSharedLookup } from '../../platform/shared-lookup.ts';
import type { Place } from './place.ts';

type BucketSettings = Pick<
  Config,
  'mediaBucket' | 'mediaBucketRegion' | 'mediaBucketKeyId' | 'mediaBucketSecret'
>;

const timeoutMs = 30_000;
/** Enough for 100 MB at 1 Mbit/s. */
const uploadMs = 15 * 60_000;
/** The limit of a file, which is the network's. */
const maxFileBytes = 100 * 1024 * 1024;
/** Errors come as XML of less than 1 kB. */
const maxErrorBytes = 16 * 1024;
/** SHA-256 of nothing, in hexadecimal. */
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Creates the place for copies of files in a bucket of a server that speaks S3. Its address is the operator's setting
 * and so may be private. Requests are signed by aws4fetch, and sent and limited like all others of the service
 * (docs/decisions/0035-copies-of-files.md).
 */
export function createBucket(settings: BucketSettings): Place {
  const { mediaBucket, mediaBucketRegion: region } = settings;
  const connect = buildConnector({
    allowH2: false,
    timeout: 10_000,
    onread,
    lookup: createSharedLookup(),
  });
  const clients = new Set<Dispatcher>();

  async function sign(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    own: Record<string, string>,
  ): Promise<{ url: URL; headers: Record<string, string> }> {
    const signed = await new AwsV4Signer({
      method,
      url: `${mediaBucket}/${key}`,
      headers: { 'x-amz-content-sha256': emptyHash, ...own },
      accessKeyId: settings.mediaBucketKeyId,
      secretAccessKey: settings.mediaBucketSecret,
      service: 's3',
      region,
    }).sign();
    return { url: signed.url, headers: Object.fromEntries(signed.headers.entries()) };
  }

  async function send(
    method: 'PUT' | 'DELETE',
    key: string,
    own: Record<string, string> = {},
    body: Dispatcher.DispatchOptions['body'] = null,
  ): Promise<ReceivedResponse> {
    const { url, headers } = await sign(method, key, own);
    const client = createClient(url.origin, connect);
    clients.add(client);
    try {
      return await sendRequest(
        client,
        { origin: url.origin, path: url.pathname, method, headers, body },
        { timeoutMs: body ? uploadMs : timeoutMs, maxBodyBytes: maxErrorBytes },
      );
    } finally {
      clients.delete(client);
      void client.destroy();
    }
  }

  return {
    async put(key, { path, size, sha256 }) {
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        // The server refuses a body with another hash.
        'x-amz-content-sha256': sha256.toString('hex'),
      };
      const response = await send('PUT', key, headers, createReadStream(path));
      if (response.status !== 200) throw refused('PUT', response);
      await rm(path, { force: true });
    },

    async open(key, range) {
      const part = range && { range: `bytes=${range.first}-${range.last}` };
      const { url, headers } = await sign('GET', key, { ...part });
      const limits = { timeoutMs, maxBodyBytes: maxFileBytes };
      const response = await openResponse(url, { connect, clients, headers, ...limits });
      if (response.status === (range ? 206 : 200)) return response.body;
      response.body.destroy();
      if (response.status === 404) return undefined;
      throw refused('GET', response);
    },

    async remove(key) {
      const response = await send('DELETE', key);
      if (![200, 204, 404].includes(response.status)) throw refused('DELETE', response);
    },

    async close() {
      await Promise.all([...clients].map((client) => client.destroy()));
    },
  };
}

/** The error names the server's code, such as SignatureDoesNotMatch, and nothing that was sent. */
function refused(method: string, { status, body }: { status: number; body: unknown }): Error {
  const [, code] = Buffer.isBuffer(body)
    ? (/<Code>(\w{1,100})<\/Code>/.exec(body.toString('latin1')) ?? [])
    : [];
  return new Error(`The bucket responded to ${method} with ${status}${code ? ` (${code})` : ''}.`);
}
