import type { Readable } from 'node:stream';
import { buildConnector, type Dispatcher } from 'undici';
import { onread } from '../platform/outbound/feed-parser.ts';
import { openResponse } from '../platform/outbound/open-response.ts';
import { lengthOf, typeOf } from '../platform/outbound/response-head.ts';
import { type GraphError, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { string } from './json.ts';

/** A file that somebody sent; the body must be read to its end or destroyed. */
export type OpenMedia =
  | { outcome: 'open'; mimeType: string; bytes: number | undefined; body: Readable }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** The network keeps no longer file of a message; documents may be 100 MB. */
const maxBodyBytes = 100 * 1024 * 1024;

/** Addresses of files live for five minutes, so each opening asks for a new one. */
export function createMediaOpener(graph: Graph, timeoutMs: number) {
  const connect = buildConnector({ allowH2: false, timeout: Math.min(timeoutMs, 10_000), onread });
  const clients = new Set<Dispatcher>();

  return {
    /** Opens a file by the network's id of it. */
    async open(credentials: Credentials, mediaId: string): Promise<OpenMedia> {
      const path = `/${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(credentials.phoneNumberId)}`;
      const answer = await graph.call(credentials, 'GET', path);
      if (!answer.answered) return { outcome: 'unreachable', cause: answer.cause };
      const url = string(answer.body?.url);
      if (answer.status !== 200 || !url || !mayHoldToken(url, credentials)) {
        return { outcome: 'refused', error: readGraphError(answer.status, answer.body) };
      }
      // Without a name of the client the network's host of files refuses
      // (github.com/gabrieldwight/Whatsapp-Business-Cloud-Api-Net, issue 45).
      const headers = {
        authorization: `Bearer ${credentials.accessToken}`,
        'user-agent': 'Parley/2',
      };
      try {
        const file = await openResponse(new URL(url), {
          connect,
          headers,
          clients,
          timeoutMs,
          maxBodyBytes,
        });
        if (file.status !== 200) {
          file.body.destroy();
          return { outcome: 'refused', error: readGraphError(file.status, undefined) };
        }
        return {
          outcome: 'open',
          mimeType: string(answer.body?.mime_type) ?? typeOf(file),
          bytes: lengthOf(file) || undefined,
          body: file.body,
        };
      } catch (cause) {
        return { outcome: 'unreachable', cause };
      }
    },

    async close() {
      await Promise.all([...clients].map((client) => client.destroy()));
    },
  };
}

/** The access token goes along, so only over TLS, or back to where it has just been sent. */
function mayHoldToken(url: string, { networkUrl }: Credentials): boolean {
  const target = URL.parse(url);
  return target?.protocol === 'https:' || target?.origin === new URL(networkUrl).origin;
}
