import type { buildConnector, Dispatcher } from 'undici';
import { createClient } from '../create-client.ts';
import { receiveResponse } from './receive-response.ts';
import type { ResponseHead } from './response-head.ts';

/** `bytes`: the length of the body, up to the limit. */
export type MeasuredResponse = ResponseHead & { bytes: number };

/**
 * Requests an address and measures its response without keeping the body, on a connection of its own.
 *
 * @param given.connect makes connections with `onread`
 * @param given.enough returns the number of body bytes to stop after, given the head; 0 for none
 * @param given.timeoutMs for everything: name lookup, connecting, and the last byte
 * @throws OutboundFailure
 */
export async function measureResponse(
  target: URL,
  given: {
    connect: buildConnector.connector;
    headers?: Record<string, string> | undefined;
    enough: (head: ResponseHead) => number;
    timeoutMs: number;
    /** Holds the client while the exchange lasts; destroying it ends the exchange. */
    clients: Set<Dispatcher>;
  },
): Promise<MeasuredResponse> {
  let head: ResponseHead | undefined;
  let bytes = 0;
  let enoughBytes = 0;
  const client = createClient(target.origin, given.connect, true);
  given.clients.add(client);
  const path = target.pathname + target.search;
  try {
    await receiveResponse(
      client,
      { path, method: 'GET', headers: given.headers },
      {
        timeoutMs: given.timeoutMs,
        onHead(received) {
          head = received;
          enoughBytes = given.enough(head);
          return enoughBytes > 0;
        },
        onData(chunk) {
          bytes += chunk.length;
          return bytes < enoughBytes;
        },
      },
    );
  } finally {
    given.clients.delete(client);
    void client.destroy();
  }
  return { ...head!, bytes };
}
