import { describeTlsError } from './describe-tls-error.ts';
import { onOneLine } from './one-line.ts';

export type FailureKind =
  | 'refused' // by us: see AddressRefused
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'connection'
  | 'protocol';

/** A request that did not get a whole response. `message` is one line that a tenant may read. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
  readonly kind: FailureKind;
  /** The status of the response if its head had arrived. */
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

/** We refuse to call this address, now or later. Nothing was sent. */
export class AddressRefused extends OutboundFailure {
  override name = 'AddressRefused';
  /** The address behind the name, for the log only. */
  readonly address: string | undefined;

  constructor(message: string, { address }: { address?: string } = {}) {
    super('refused', message);
    this.address = address;
  }
}

/** Converts an error of undici, TLS or the system to a failure with a plain message. */
export function toFailure(cause: unknown, status?: number): OutboundFailure {
  if (cause instanceof OutboundFailure) {
    if (status === undefined || cause.status !== undefined) return cause;
    return new OutboundFailure(cause.kind, cause.message, { status, cause });
  }
  const { code, name = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const problem = describeTlsError(cause);
  if (problem) return new OutboundFailure('tls', problem, { status, cause });
  // undici has the same error for a body that is cut short and for a head with two lengths.
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

/** Reads the reason in `Response does not match the HTTP/1.1 protocol (Invalid header token)`. */
function parserReason(message: string): string {
  return /\(([^()]+)\)$/.exec(message)?.[1] ?? message;
}

const closedEarly = 'The host closed the connection early';
const notHttp = 'The response was not valid HTTP';

/** Messages and codes of undici and the system. The texts lack their full stop. */
const known: [RegExp, FailureKind, string][] = [
  // undici's own messages. Their code is that of a connection closed by the other side.
  [/^bad (response|upgrade)$/, 'protocol', 'The host sent an unexpected status 100 or 101'],
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
