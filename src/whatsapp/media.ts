import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { openResponse } from '../platform/outbound/responses/open-response.ts';
import { lengthOf, typeOf } from '../platform/outbound/responses/response-head.ts';
import { connectorOf } from './connections.ts';
import { type GraphError, isUnknownObject, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { string } from './json.ts';
import { lookUpNumber } from './numbers/look-up-number.ts';

/**
 * A received file; the body must be read to its end or destroyed. Only `gone` is final: the network has the file no
 * more.
 */
export type OpenMedia =
  | { outcome: 'open'; mimeType: string; bytes: number | undefined; body: Readable }
  | { outcome: 'gone'; error: GraphError }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** The network's limit for a file of a message, that of documents. */
const maxBodyBytes = 100 * 1024 * 1024;

/**
 * Creates a function that opens received files. Their URLs expire after five minutes, so each call
 * gets a new one.
 */
export function createMediaOpener(graph: Graph, timeoutMs: number) {
  const connect = connectorOf(timeoutMs);
  const clients = new Set<Dispatcher>();

  /**
   * The network has the same error for a file that is lost and for one that the access token may not use. The file is
   * lost if the token may still use the number.
   */
  async function whyUnknown(credentials: Credentials, error: GraphError): Promise<OpenMedia> {
    const number = await lookUpNumber(graph, credentials);
    return number.outcome === 'found' ? { outcome: 'gone', error } : number;
  }

  return {
    /** Opens a file by the network's id of the file. */
    async open(credentials: Credentials, mediaId: string): Promise<OpenMedia> {
      const path = `/${encodeURIComponent(mediaId)}?phone_number_id=${encodeURIComponent(credentials.phoneNumberId)}`;
      const result = await graph.call(credentials, 'GET', path);
      if (!result.received) return { outcome: 'unreachable', cause: result.cause };
      const url = string(result.body?.url);
      if (result.status !== 200 || !url || !mayReceiveToken(url, credentials)) {
        const error = readGraphError(result.status, result.body);
        return isUnknownObject(error)
          ? whyUnknown(credentials, error)
          : { outcome: 'refused', error };
      }
      // The network's file host refuses requests without a User-Agent
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
          // Also a 404 can end with a new URL or token, as the network's documentation says.
          return { outcome: 'refused', error: readGraphError(file.status, undefined) };
        }
        return {
          outcome: 'open',
          mimeType: string(result.body?.mime_type) ?? typeOf(file),
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

/**
 * Whether the access token may be sent to the URL: over TLS, or to the host that already received
 * it.
 */
function mayReceiveToken(url: string, { networkUrl }: Credentials): boolean {
  const target = URL.parse(url);
  return target?.protocol === 'https:' || target?.origin === new URL(networkUrl).origin;
}
