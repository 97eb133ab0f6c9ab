import type { Dispatcher } from 'undici';
import { fault } from '../../errors/fault.ts';
import { OutboundFailure, toFailure } from '../outbound-failure.ts';
import { currentFeed, type Feed } from './feed-parser.ts';
import type { ResponseHead } from './response-head.ts';
import { maxInformationalResponses } from './response-limits.ts';

export type ResponseReader = {
  /** Until the response ends, or until its head if there is a `bodyTimeoutMs`. */
  timeoutMs: number;
  /** The time limit of the whole body. */
  bodyTimeoutMs?: number;
  /** Called when there is a connection and the request is about to be written to it. */
  onStart?(): void;
  /** Called with the final head. Returning `false` ends the exchange without a body. */
  onHead(head: ResponseHead): unknown;
  /**
   * Called with each piece of the body. Returning `false` ends the exchange.
   *
   * @param feed can pause the connection
   */
  onData(chunk: Buffer, feed: Feed | undefined): unknown;
};

/**
 * Sends a request and passes on its response as it arrives. Limits its time and the number of informational
 * responses. Connections of the dispatcher must go through feedParser, which limits the bytes.
 *
 * Uses undici's `dispatch` and not its `request`, whose streams and signals take a tenth of the time of a
 * send.
 *
 * @returns after the end of the response, or after the reader has ended it
 * @throws OutboundFailure, also one that the reader throws
 */
export function receiveResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  reader: ResponseReader,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let exchange: Dispatcher.DispatchController | undefined;
  let status: number | undefined;
  let informational = 0;
  let settled = false;

  function settle(failure?: unknown): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    if (failure === undefined) resolve();
    else reject(toFailure(failure, status));
  }
  /** Settles before the end of the response, and closes the connection. */
  function stop(failure?: OutboundFailure): void {
    settle(failure);
    exchange?.abort(stopped);
  }
  const expireIn = (timeoutMs: number) =>
    setTimeout(() => stop(timeUp(timeoutMs, status)), timeoutMs);
  let timer = expireIn(reader.timeoutMs);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      exchange = controller;
      if (settled) controller.abort(stopped);
      else reader.onStart?.();
    },
    onResponseStart(_controller, statusCode, headers, reason = '') {
      if (settled) return;
      // The parser accepts control characters.
      if (/[^\t\P{Cc}]/u.test(reason)) return stop(controlCharacters());
      if (statusCode < 200) {
        if (++informational > maxInformationalResponses) stop(tooManyInformational());
        return;
      }
      currentFeed()?.endHead();
      status = statusCode;
      const head = { status, headers: joinedHeaders(headers) };
      // The parser accepts other codings. We requested none, and would store the encoded bytes as the body.
      if ((head.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
        return stop(unknownCoding());
      }
      if (reader.bodyTimeoutMs !== undefined) {
        clearTimeout(timer);
        timer = expireIn(reader.bodyTimeoutMs);
      }
      if (reader.onHead(head) === false) stop();
    },
    onResponseData(_controller, chunk) {
      const feed = currentFeed();
      feed?.countBody(chunk.length);
      if (!settled && reader.onData(chunk, feed) === false) stop();
    },
    onResponseEnd() {
      currentFeed()?.endResponse();
      settle();
    },
    onResponseError: (_controller, error) => settle(error),
  };
  dispatcher.dispatch(request, handler);
  return promise;
}

const stopped = new Error('The response is not read further.');

/** Joins repeated headers, as RFC 9110 (section 5.3) requires. */
function joinedHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== '__proto__') {
      joined[name] = (typeof value === 'string' ? value : value.join(', ')).trimEnd();
    }
  }
  return joined;
}

function timeUp(timeoutMs: number, status: number | undefined): OutboundFailure {
  const ms = String(timeoutMs);
  const message =
    status === undefined
      ? fault('no_response', 'No response within {ms} ms.', { ms })
      : fault('response_endless', 'The response began but did not end within {ms} ms.', { ms });
  return new OutboundFailure('timeout', message, { status });
}

function tooManyInformational(): OutboundFailure {
  return new OutboundFailure(
    'protocol',
    fault(
      'too_many_informational',
      'The host sent more than {max} informational (1xx) responses.',
      { max: maxInformationalResponses },
    ),
  );
}

function controlCharacters(): OutboundFailure {
  return new OutboundFailure(
    'protocol',
    fault(
      'control_characters_in_head',
      'The response was not valid HTTP (control characters in its first line).',
    ),
  );
}

function unknownCoding(): OutboundFailure {
  return new OutboundFailure(
    'protocol',
    fault('unknown_transfer_encoding', 'The response has an unknown transfer encoding.'),
  );
}
