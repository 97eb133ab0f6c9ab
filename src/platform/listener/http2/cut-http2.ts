import { constants } from 'node:http2';
import { type BodyLimits, createBodyCheck } from '../limits/limit-bodies.ts';
import { refuse, tooSlow } from '../refuse.ts';
import { cutHttp2, type Http2Connection } from './http2-connection.ts';
import type { Http2Response } from './http2-messages.ts';

export type Http2Limits = BodyLimits & {
  /** How long a client may take for its first request. */
  slowClientMs: number;
  /** How long a connection may have no request. */
  idleMs: number;
  /** How long a client may leave its response unread. */
  unreadMs: number;
  /** How long the rest of a body may take to arrive after its response. */
  lingerMs: number;
};

type Progress = { bytes: number; at: number };

/** The data besides bodies that a connection may send: this many bytes at once, ... */
const maxExtraBytes = 2 * 1024 * 1024;
/** ... this many for each request and in each second, ... */
const extraBytes = 16 * 1024;
/** ... and one byte for this many bytes of bodies and responses. */
const bytesPerExtraByte = 32;

/**
 * Creates a check of the connections that speak HTTP/2. It cuts those that are idle or send floods of frames
 * without a purpose, and requests that take too long to arrive or whose client does not read its response.
 * Node's own limits see neither: to them, any frame is activity of the whole connection.
 */
export function createHttp2Check(limits: Http2Limits): (connection: Http2Connection) => void {
  const isTooSlow = createBodyCheck(limits);
  const isFlooding = createFloodCheck();
  const progress = new WeakMap<Http2Response, Progress>();
  const ended = new WeakMap<Http2Response, number>();

  function check(connection: Http2Connection): void {
    const { session, open, requests, idleSince } = connection;
    if (session.destroyed) return;
    const now = performance.now();
    if (isFlooding(connection, now)) {
      cutHttp2(connection, constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    const maxIdleMs = requests === 0 ? limits.slowClientMs : limits.idleMs;
    if (open.size === 0 && now - idleSince >= maxIdleMs) {
      cutHttp2(connection, constants.NGHTTP2_NO_ERROR);
      return;
    }
    for (const response of open) checkRequest(response, now);
  }

  function checkRequest(response: Http2Response, now: number): void {
    const { req: request, stream } = response;
    if (response.writableEnded && stream.writableFinished) {
      const since = ended.get(response) ?? now;
      ended.set(response, since);
      if (now - since >= limits.lingerMs) stream.close(constants.NGHTTP2_NO_ERROR);
    } else if (isUnread(response, now)) {
      stream.close(constants.NGHTTP2_CANCEL);
    } else if (!hasArrived(response) && isTooSlow(request, request.bytesRead, now)) {
      if (response.headersSent) stream.close(constants.NGHTTP2_CANCEL);
      else response.refuseWith(() => refuse(response, tooSlow));
      request.breakOff();
    }
  }

  /** Whether nothing of a response has left for too long, as with a window that the client keeps at zero. */
  function isUnread(response: Http2Response, now: number): boolean {
    if (!response.headersSent) return false;
    const bytes = response.bytesWritten - response.stream.writableLength;
    const before = progress.get(response);
    if (before?.bytes === bytes && response.stream.writableLength > 0) {
      return now - before.at >= limits.unreadMs;
    }
    progress.set(response, { bytes, at: now });
    return false;
  }

  return check;
}

/** Also if the app has not read it. */
function hasArrived({ req, stream }: Http2Response): boolean {
  return req.isWhole || stream.state.state === constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE;
}

/**
 * Creates a check of what connections send besides the bodies of their requests: headers, control frames, and
 * data of requests that have ended. Every kind of frame has a use, so the check only counts bytes.
 */
function createFloodCheck() {
  const seen = new WeakMap<
    Http2Connection,
    { at: number; extra: number; allowed: number; over: number }
  >();

  return function isFlooding(connection: Http2Connection, now: number): boolean {
    const { socket, open, requests, bodyBytes } = connection;
    let unread = 0;
    for (const { stream } of open) unread += stream.readableLength;
    const extra = socket.bytesRead - bodyBytes - unread;
    const allowed = requests * extraBytes + (bodyBytes + socket.bytesWritten) / bytesPerExtraByte;
    const before = seen.get(connection) ?? { at: now, extra: 0, allowed: 0, over: 0 };
    const refill = allowed - before.allowed + ((now - before.at) / 1_000) * extraBytes;
    const over = Math.max(0, before.over + (extra - before.extra) - refill);
    seen.set(connection, { at: now, extra, allowed, over });
    return over > maxExtraBytes;
  };
}
