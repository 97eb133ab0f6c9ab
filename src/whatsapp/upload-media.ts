import { randomBytes } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { createClient } from '../platform/outbound/create-client.ts';
import { sendRequest } from '../platform/outbound/send-request.ts';
import { connectorOf } from './connections.ts';
import {
  type Credentials,
  type Graph,
  type LookUp,
  maxBodyBytes,
  readLookUp,
  readResponse,
} from './graph.ts';
import { string } from './json.ts';

/** As long as the service lets a client take for a long upload. */
const uploadMs = 30 * 60_000;

/** The network forgets an uploaded file after this time (November 2026). */
export const uploadLifetimeDays = 30;

/**
 * Creates a function that uploads files for messages. Each upload has a connection of its own, so that sends do not
 * wait for it.
 */
export function createMediaUploader(graph: Graph, timeoutMs: number) {
  const connect = connectorOf(timeoutMs);
  const clients = new Set<Dispatcher>();

  return {
    /**
     * Uploads a file as its bytes arrive. The network lets only this number send it.
     *
     * @param file.body is read no faster than the network takes it. If it fails, the upload is broken off
     * @returns the network's id of the file
     */
    async upload(
      number: Credentials,
      file: { mimeType: string; body: AsyncIterable<Buffer> },
    ): Promise<LookUp<string>> {
      const path = `/${encodeURIComponent(number.phoneNumberId)}/media`;
      const { origin, ...request } = graph.requestOf(number, 'POST', path);
      const client = createClient(origin, connect);
      clients.add(client);
      const boundary = randomBytes(16).toString('hex');
      const form = {
        ...request,
        origin,
        headers: {
          ...request.headers,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        body: formOf(boundary, file) as unknown as Dispatcher.DispatchOptions['body'],
      };
      try {
        const response = await sendRequest(client, form, { timeoutMs: uploadMs, maxBodyBytes });
        const result = readLookUp(readResponse(response, true), (body) => string(body.id));
        if (result.outcome !== 'refused' || result.error.status !== 200) return result;
        return { outcome: 'unreachable', cause: new Error('HTTP 200 without an id') };
      } catch (cause) {
        return { outcome: 'unreachable', cause };
      } finally {
        clients.delete(client);
        void client.destroy();
      }
    },

    async close() {
      await Promise.all([...clients].map((client) => client.destroy()));
    },
  };
}

/** Writes the form. Its file has the same name always, because no message shows it. */
async function* formOf(
  boundary: string,
  { mimeType, body }: { mimeType: string; body: AsyncIterable<Buffer> },
): AsyncGenerator<Buffer> {
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  yield Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mimeType)}--${boundary}\r\n` +
      `content-disposition: form-data; name="file"; filename="file"\r\ncontent-type: ${mimeType}\r\n\r\n`,
  );
  yield* body;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}
