import {
  type IncomingHttpHeaders as Http2Headers,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { limitRest, mayHaveLongRest } from '../limits/limit-rest.ts';
import { maxHeaderBytes, maxHeaders, maxPending } from '../limits/limits.ts';
import { Http2Request, Http2Response } from './http2-messages.ts';

/** How much of a body a client may send before the app reads it. Node's 64 KB slow down uploads. */
const streamWindow = 256 * 1024;
const connectionWindow = 1024 * 1024;
/** How long a client may take to close its side of a connection that was cut. */
const closeWithinMs = 1_000;

/** Node and nghttp2 end a connection beyond most of these. They would allow more requests and resets. */
const options = {
  maxHeaderListPairs: maxHeaders,
  maxSettings: 32,
  maxOutstandingPings: 10,
  maxOutstandingSettings: 10,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  /** In megabytes. Beyond it, further requests are refused. */
  maxSessionMemory: 10,
  /** Each reset request may already have cost as much as a complete one. */
  streamResetBurst: 100,
  streamResetRate: 10,
  settings: {
    maxConcurrentStreams: maxPending,
    maxHeaderListSize: maxHeaderBytes,
    initialWindowSize: streamWindow,
    enablePush: false,
    enableConnectProtocol: false,
  },
};

/** A connection that speaks HTTP/2, with the requests that are open on it. */
export type Http2Connection = {
  session: ServerHttp2Session;
  socket: TLSSocket;
  open: Set<Http2Response>;
  /** How many requests it has had. */
  requests: number;
  /** The bytes of their bodies. */
  bodyBytes: number;
  /** When it was opened, or when its latest request ended. */
  idleSince: number;
};

/** Speaks HTTP/2 on a connection and passes its requests on. */
export function openHttp2(
  socket: TLSSocket,
  serve: (request: Http2Request, response: Http2Response) => void,
): Http2Connection {
  const session = performServerHandshake(socket, options);
  session.setLocalWindowSize(connectionWindow);
  const connection: Http2Connection = {
    session,
    socket,
    open: new Set(),
    requests: 0,
    bodyBytes: 0,
    idleSince: performance.now(),
  };
  session.on('error', () => {}); // a broken connection or protocol; 'close' follows
  session.on('stream', (stream, headers, _flags, rawHeaders) => {
    // A reset. 'close' follows.
    stream.on('error', () => {});
    if (stream.closed || stream.destroyed) return;
    const [request, response] = openRequest(connection, stream, headers, rawHeaders);
    serve(request, response);
  });
  // The port also accepts half-open connections, for HTTP/1.1.
  socket.once('end', () => socket.end());
  return connection;
}

function openRequest(
  connection: Http2Connection,
  stream: ServerHttp2Stream,
  headers: Http2Headers,
  rawHeaders: string[],
): [Http2Request, Http2Response] {
  const { socket, open } = connection;
  const request = new Http2Request(stream, headers, rawHeaders, { socket, counter: connection });
  const response = new Http2Response(stream);
  connection.requests++;
  open.add(response);
  stream.once('close', () => {
    open.delete(response);
    // Bytes that arrived and were never read.
    connection.bodyBytes += stream.readableLength;
    connection.idleSince = performance.now();
  });
  if (!request.isWhole) {
    stream.once('finish', () => {
      if (request.isWhole || stream.closed) return;
      stream.resume();
      request.resume();
      if (mayHaveLongRest(request)) request.once('end', limitRest(stream, request));
    });
  }
  return [request, response];
}

/** Ends a connection at once, with an HTTP/2 error code for the client. */
export function cutHttp2({ session, socket }: Http2Connection, code: number): void {
  session.destroy(undefined, code);
  setTimeout(() => socket.destroy(), closeWithinMs).unref();
}
