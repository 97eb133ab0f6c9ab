import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import {
  type IncomingHttpHeaders as Http2Headers,
  Http2ServerRequest,
  Http2ServerResponse,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** Headers that describe a connection of HTTP/1.1. Node would warn of them and leave them out. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Receives the number of bytes of a body that the app accepts. */
export type BodyCounter = { bodyBytes: number };

/**
 * A request over HTTP/2 that looks to the app as over HTTP/1.1: it has a Host header and no pseudo-headers,
 * a body of unknown length is chunked, and a body that breaks off is an error. (In Node's own class it ends as
 * if it were complete.)
 */
export class Http2Request extends Http2ServerRequest {
  override readonly headers: IncomingHttpHeaders;
  override readonly socket: TLSSocket;
  /** How many bytes of the body the app has accepted. */
  bytesRead = 0;
  /** Whether the body has arrived completely. */
  isWhole: boolean;
  readonly #counter: BodyCounter;

  constructor(
    stream: ServerHttp2Stream,
    headers: Http2Headers,
    rawHeaders: string[],
    { socket, counter }: { socket: TLSSocket; counter: BodyCounter },
  ) {
    // Node's own class emits 'close'.
    super(stream, headers, { emitClose: false }, rawHeaders);
    this.headers = readHeaders(headers, stream.endAfterHeaders);
    this.socket = socket;
    this.isWhole = stream.endAfterHeaders;
    this.#counter = counter;
  }

  /** Node passes the pieces of the body, and null at its end. */
  override push(piece: Buffer | null): boolean {
    if (piece !== null) {
      this.bytesRead += piece.length;
      this.#counter.bodyBytes += piece.length;
    } else if (!this.isWhole) {
      if (this.stream.aborted || this.stream.rstCode !== 0) {
        this.breakOff();
        return false;
      }
      this.isWhole = true;
    }
    return super.push(piece);
  }

  /** Ends the body with the error that HTTP/1.1 has for a connection that broke. */
  breakOff(): void {
    if (this.isWhole) return;
    this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  }

  /** As in HTTP/1.1, nobody has to listen for the error. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    process.nextTick(() => callback(this.listenerCount('error') > 0 ? error : null));
  }
}

/** A response over HTTP/2. Headers that only HTTP/1.1 has are left out. */
export class Http2Response extends Http2ServerResponse<Http2Request> {
  /** How many bytes the app has written. */
  bytesWritten = 0;
  #isRefused = false;

  override setHeader(name: string, value: number | string | readonly string[]): void {
    if (!connectionHeaders.includes(name.toLowerCase())) super.setHeader(name, value);
  }

  override writeHead(status: number, ...given: unknown[]): this {
    if (this.#isRefused) return this;
    const headers = given.at(-1);
    return super.writeHead(status, withoutConnection(headers as OutgoingHttpHeaders | undefined));
  }

  override write(chunk: string | Uint8Array, ...given: unknown[]): boolean {
    // Node ends the stream of a HEAD at once.
    if (this.req.method === 'HEAD') return true;
    const [encoding] = given;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk;
    this.bytesWritten += bytes.length;
    return super.write(bytes, given.at(-1) as () => void);
  }

  /** Runs `respond`, which sends a response in place of the app. The one of the app is then ignored. */
  refuseWith(respond: (response: this) => void): void {
    respond(this);
    this.#isRefused = true;
  }
}

/** Whether nothing can be written any more, as in HTTP/1.1. Node's own class does not have it. */
Object.defineProperty(Http2Response.prototype, 'destroyed', {
  get(this: Http2Response) {
    return this.stream.destroyed || this.stream.closed;
  },
});

function readHeaders(given: Http2Headers, hasEnded: boolean): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const name in given) if (!name.startsWith(':')) headers[name] = given[name];
  const authority = given[':authority'];
  if (authority) headers.host = authority;
  if (!hasEnded && headers['content-length'] === undefined) {
    headers['transfer-encoding'] = 'chunked';
  }
  return headers;
}

function withoutConnection(headers: OutgoingHttpHeaders | undefined): OutgoingHttpHeaders {
  const kept = { ...headers };
  for (const name of connectionHeaders) delete kept[name];
  return kept;
}
