import { type Fault, fault } from '../errors/fault.ts';
import { describeTlsError } from './describe-tls-error.ts';
import { onOneLine } from './one-line.ts';

export type FailureKind =
  | 'refused' // by us: see AddressRefused
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'connection'
  | 'protocol';

/** A request that did not get a whole response. `fault` is one line that a tenant may read. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
  readonly kind: FailureKind;
  readonly fault: Fault;
  /** The status of the response if its head had arrived. */
  readonly status: number | undefined;

  constructor(
    kind: FailureKind,
    message: Fault,
    { status, cause }: { status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message.text, { cause });
    this.kind = kind;
    this.fault = message;
    this.status = status;
  }
}

/** We refuse to call this address, now or later. Nothing was sent. */
export class AddressRefused extends OutboundFailure {
  override name = 'AddressRefused';
  /** The address behind the name, for the log only. */
  readonly address: string | undefined;

  constructor(message: Fault, { address }: { address?: string } = {}) {
    super('refused', message);
    this.address = address;
  }
}

export function hasNoAddress(host: string, cause?: unknown): OutboundFailure {
  const message = fault('host_without_address', '{host} has no address.', { host });
  return new OutboundFailure('dns', message, { cause });
}

/** Converts an error of undici, TLS or the system to a failure with a plain message. */
export function toFailure(cause: unknown, status?: number): OutboundFailure {
  if (cause instanceof OutboundFailure) {
    if (status === undefined || cause.status !== undefined) return cause;
    return new OutboundFailure(cause.kind, cause.fault, { status, cause });
  }
  const { code, name = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const problem = describeTlsError(cause);
  if (problem) return new OutboundFailure('tls', problem, { status, cause });
  // undici has the same error for a body that is cut short and for a head with two lengths.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return status === undefined
      ? new OutboundFailure(
          'protocol',
          fault('response_wrong_length', 'The response was not valid HTTP (its length).'),
          { cause },
        )
      : new OutboundFailure('connection', closedEarly, { status, cause });
  }
  const [, kind, text] = known.find(
    ([pattern]) => pattern.test(message) || pattern.test(code ?? name),
  ) ?? [undefined, 'connection' as const, fault('connection_failed', 'The connection failed.')];
  return new OutboundFailure(kind, text ?? notHttp(message), { status, cause });
}

function notHttp(message: string): Fault {
  return fault('response_not_http', 'The response was not valid HTTP ({why}).', {
    why: onOneLine(parserReason(message)),
  });
}

/** Reads the reason in `Response does not match the HTTP/1.1 protocol (Invalid header token)`. */
function parserReason(message: string): string {
  return /\(([^()]+)\)$/.exec(message)?.[1] ?? message;
}

const closedEarly = fault('closed_early', 'The host closed the connection early.');

/** Messages and codes of undici and the system. A response that is not HTTP has its own reason. */
const known: [RegExp, FailureKind, Fault | undefined][] = [
  // undici's own messages. Their code is that of a connection closed by the other side.
  [
    /^bad (response|upgrade)$/,
    'protocol',
    fault('unexpected_status', 'The host sent an unexpected status 100 or 101.'),
  ],
  [
    /^Client network socket disconnected before secure TLS/,
    'connection',
    fault('closed_in_handshake', 'The host closed the connection during the TLS handshake.'),
  ],
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'dns', fault('no_address', 'The host has no address.')],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    'timeout',
    fault('connect_timeout', 'The host did not accept the connection in time.'),
  ],
  [
    /^ECONNREFUSED$/,
    'connection',
    fault('connection_refused', 'The host refused the connection: nothing listens there.'),
  ],
  [
    /^(ENETUNREACH|EHOSTUNREACH)$/,
    'connection',
    fault('host_unreachable', 'The host cannot be reached.'),
  ],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection', closedEarly],
  [/^(HTTPParserError|HPE_|UND_ERR_|ERR_INVALID|ERR_HTTP)/, 'protocol', undefined],
];
