import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { type GraphError, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { string } from './json.ts';

/** A file that somebody sent; the body must be read to its end or destroyed. */
export type OpenMedia =
  | { outcome: 'open'; mimeType: string; bytes: number | undefined; body: Readable }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** Addresses of files live for five minutes, so each opening asks for a new one. */
export function createMediaOpener(graph: Graph, timeoutMs: number) {
  const dispatcher = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });

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
      try {
        const file = await request(url, {
          dispatcher,
          // Without a name of the client the network's host of files refuses
          // (github.com/gabrieldwight/Whatsapp-Business-Cloud-Api-Net, issue 45).
          headers: {
            authorization: `Bearer ${credentials.accessToken}`,
            'user-agent': 'Parley/2',
          },
        });
        if (file.statusCode !== 200) {
          await file.body.dump();
          return { outcome: 'refused', error: readGraphError(file.statusCode, undefined) };
        }
        const length = Number(file.headers['content-length']);
        return {
          outcome: 'open',
          mimeType: String(answer.body?.mime_type ?? file.headers['content-type'] ?? ''),
          bytes: length > 0 ? length : undefined,
          body: file.body,
        };
      } catch (cause) {
        return { outcome: 'unreachable', cause };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** The access token goes along, so only over TLS, or back to where it has just been sent. */
function mayHoldToken(url: string, { networkUrl }: Credentials): boolean {
  const target = URL.parse(url);
  return target?.protocol === 'https:' || target?.origin === new URL(networkUrl).origin;
}
