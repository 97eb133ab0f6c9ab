export type FailureKind =
  | 'refused' // by us: see AddressRefused
  | 'timeout'
  | 'dns'
  | 'tls'
  | 'connection'
  | 'protocol';

/** A call to the outside that brought no whole answer. `message` is fit for a tenant to read. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
  readonly kind: FailureKind;
  /** Of the answer that had begun, if any. */
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

/** Puts what undici, TLS and the system throw into our kinds and plain words. */
export function toFailure(cause: unknown, status?: number): OutboundFailure {
  if (cause instanceof OutboundFailure) {
    if (status === undefined || cause.status !== undefined) return cause;
    return new OutboundFailure(cause.kind, cause.message, { status, cause });
  }
  const { code, name = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const [, kind, words] = known.find(
    ([pattern]) => pattern.test(message) || pattern.test(code ?? name),
  ) ?? [undefined, 'connection' as const, 'The connection failed.'];
  const detail = kind === 'tls' || kind === 'protocol' ? ` (${message})` : '';
  return new OutboundFailure(kind, `${words}${detail}`, { status, cause });
}

const known: [RegExp, FailureKind, string][] = [
  // undici's own words, under the code of a connection that the other side broke off.
  [
    /^bad (response|upgrade)$/,
    'protocol',
    'The host answered 100 or 101, which was not asked for.',
  ],
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'dns', 'The host has no address.'],
  [
    /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    'timeout',
    'The host did not take the connection in time.',
  ],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'timeout', 'The answer took too long.'],
  [/^ECONNREFUSED$/, 'connection', 'The host refused the connection: nothing listens there.'],
  [/^(ENETUNREACH|EHOSTUNREACH)$/, 'connection', 'The host cannot be reached.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection', 'The host broke the connection off.'],
  [/^CERT_HAS_EXPIRED$/, 'tls', 'The certificate of the host has expired.'],
  [/^ERR_TLS_CERT_ALTNAME/, 'tls', 'The certificate is for another host.'],
  [/SELF_SIGNED|UNABLE_TO_|^CERT_/, 'tls', 'The certificate of the host is not trusted.'],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, 'tls', 'The TLS handshake failed.'],
  [
    /^(HTTPParserError|HPE_|UND_ERR_|ERR_INVALID|ERR_HTTP)/,
    'protocol',
    'The exchange was not valid HTTP.',
  ],
];
