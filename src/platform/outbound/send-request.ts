import type { Dispatcher } from 'undici';
import { createByteGatherer } from './responses/gather-bytes.ts';
import { receiveResponse } from './responses/receive-response.ts';
import type { ResponseHead } from './responses/response-head.ts';

export type ReceivedResponse = ResponseHead & {
  /** The body, or its first `maxBodyBytes` if `truncated`. */
  body: Buffer;
  truncated: boolean;
};

/**
 * Sends a request and reads the response into memory.
 *
 * @param limits.maxBodyBytes the connection is closed after this many bytes of the body
 * @param limits.timeoutMs for everything: name lookup, connecting, sending, and the last byte
 * @param limits.onStart called when there is a connection and the request is about to be written to it
 * @throws OutboundFailure
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: { maxBodyBytes: number; timeoutMs: number; onStart?: () => void },
): Promise<ReceivedResponse> {
  const { maxBodyBytes, timeoutMs, onStart } = limits;
  let head: ResponseHead | undefined;
  const body = createByteGatherer();
  await receiveResponse(dispatcher, request, {
    timeoutMs,
    ...(onStart && { onStart }),
    onHead(received) {
      head = received;
    },
    onData(chunk) {
      body.add(chunk);
      return body.length() <= maxBodyBytes;
    },
  });
  return {
    ...head!,
    body: body.bytes().subarray(0, maxBodyBytes),
    truncated: body.length() > maxBodyBytes,
  };
}
