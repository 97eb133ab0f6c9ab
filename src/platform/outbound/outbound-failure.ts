import { describeTlsError } from './describe-tls-error.ts';
import { onOneLine } from './one-line.ts';

export type FailureKind =
  | 'refused' // by us: see AddressRefused
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'connection'
  | 'protocol';

/** A request that brought no whole response. `message` is one line, fit for a tenant to read. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
  readonly kind: FailureKind;
  /** Of the response that had begun, if any. */
  readonly status: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    { status, cause }: { status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
  }
}

/** We will not call this address, now or later: nothing was sent. */
export class AddressRefused extends OutboundFailure {
  override name = 'AddressRefused';
  /** The address behind the name, for the log only. */
  readonly address: string | undefined;

  constructor(message: string, { address }: { address?: string } = {}) {
    super('refused', message);
    this.address = address;
  }
}

/** Turns an error of undici, TLS or the system into a failure with a plain message. */
export function toFailure(cause: unknown, status?: number): OutboundFailure {
  if (cause instanceof OutboundFailure) {
    if (status === undefined || cause.status !== undefined) return cause;
    return new OutboundFailure(cause.kind, cause.message, { status, cause });
  }
  const { code, name = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const problem = describeTlsError(cause);
  if (problem) return new OutboundFailure('tls', problem, { status, cause });
  // undici's word both for a body cut short and for a head that names two lengths.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return status === undefined
      ? new OutboundFailure('protocol', 'The response was not valid HTTP (its length).', { cause })
      : new OutboundFailure('connection', `${closedEarly}.`, { status, cause });
  }
  const [, kind, text] = known.find(
    ([pattern]) => pattern.test(message) || pattern.test(code ?? name),
  ) ?? [undefined, 'connection' as const, 'The connection failed'];
  const detail = text === notHttp ? ` (${onOneLine(parserReason(message))})` : '';
  return new OutboundFailure(kind, `${text}${detail}.`, { status, cause });
}

/** From `Response does not match the HTTP/1.1 protocol (Invalid header token)`. */
function parserReason(message: string): string {
  return /\(([^()]+)\)$/.exec(message)?.[1] ?? message;
}

const closedEarly = 'The host closed the connection early';
const notHttp = 'The response was not valid HTTP';

/** Messages and codes of undici and the system; the texts lack their full stop. */
const known: [RegExp, FailureKind, string][] = [
  // undici's own words, under the code of a connection that the other side closed.
  [/^bad (response|upgrade)$/, 'protocol', 'The host answered 100 or 101, which was not asked for'],
  [
    /^Client network socket disconnected before secure TLS/,
    'connection',
    'The host closed the connection during the TLS handshake',
  ],
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'dns', 'The host has no address'],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    'timeout',
    'The host did not accept the connection in time',
  ],
  [/^ECONNREFUSED$/, 'connection', 'The host refused the connection: nothing listens there'],
  [/^(ENETUNREACH|EHOSTUNREACH)$/, 'connection', 'The host cannot be reached'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection', closedEarly],
  [/^(HTTPParserError|HPE_|UND_ERR_|ERR_INVALID|ERR_HTTP)/, 'protocol', notHttp],
];
