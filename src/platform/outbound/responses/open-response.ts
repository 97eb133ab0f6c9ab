import { Readable } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
import { fault } from '../../errors/fault.ts';
import { createClient } from '../create-client.ts';
import { OutboundFailure } from '../outbound-failure.ts';
import type { Feed } from './feed-parser.ts';
import { receiveResponse } from './receive-response.ts';
import type { ResponseHead } from './response-head.ts';

/** A response whose body the caller must read to its end or destroy. */
export type OpenResponse = ResponseHead & { body: Readable };

export type OpenLimits = {
  /** Until the head has arrived. */
  timeoutMs: number;
  /** The maximum length of the body. A longer one fails. */
  maxBodyBytes: number;
  /** The time limit of the whole body. The default of 15 minutes is enough for 100 MB at 1 Mbit/s. */
  bodyTimeoutMs?: number;
};

/** The maximum time without a byte while the body is being read. */
const maxSilenceMs = 60_000;

/**
 * Requests an address and returns its response as soon as the head has arrived. The body is received no
 * faster than it is read, on a connection of its own.
 *
 * @param given.connect makes connections with `onread`
 * @param given.clients holds the client while the exchange lasts; destroying it ends the exchange
 * @throws OutboundFailure; the body fails with one too
 */
export function openResponse(
  target: URL,
  given: OpenLimits & {
    connect: buildConnector.connector;
    headers?: Record<string, string> | undefined;
    clients: Set<Dispatcher>;
  },
): Promise<OpenResponse> {
  const { connect, headers, clients, timeoutMs, maxBodyBytes, bodyTimeoutMs = 15 * 60_000 } = given;
  const { promise, resolve, reject } = Promise.withResolvers<OpenResponse>();
  let bytes = 0;
  let pausedFeed: Feed | undefined;
  let silence: NodeJS.Timeout | undefined;
  const client = createClient(target.origin, connect);
  clients.add(client);

  function end(): void {
    clearTimeout(silence);
    clients.delete(client);
    void client.destroy();
  }
  function expectBytes(): void {
    clearTimeout(silence);
    silence = setTimeout(() => body.destroy(silent()), maxSilenceMs);
  }
  const body = new Readable({
    read() {
      if (!pausedFeed) return;
      expectBytes();
      pausedFeed.resume();
      pausedFeed = undefined;
    },
    destroy(error, done) {
      end();
      done(error);
    },
  });
  body.on('error', () => {}); // reported to the reader, if there is one

  receiveResponse(
    client,
    { path: target.pathname + target.search, method: 'GET', headers },
    {
      timeoutMs,
      bodyTimeoutMs,
      onHead(head) {
        expectBytes();
        resolve({ ...head, body });
      },
      onData(chunk, feed) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes)
          throw new OutboundFailure('protocol', fault('file_too_long', 'The file is too long.'));
        if (body.push(chunk)) return expectBytes();
        clearTimeout(silence);
        pausedFeed = feed;
        feed?.pause();
      },
    },
  ).then(
    () => {
      body.push(null);
      end();
    },
    (failure) => {
      reject(failure);
      body.destroy(failure);
    },
  );
  return promise;
}

function silent(): OutboundFailure {
  return new OutboundFailure(
    'timeout',
    fault('host_silent', 'The host sent nothing for {seconds} s.', {
      seconds: maxSilenceMs / 1_000,
    }),
  );
}
