import { Agent, buildConnector, type Dispatcher, request as undiciRequest } from 'undici';
import { parseNetworks } from './networks.ts';
import { type AddressGuard, guardAddresses } from './outbound-address.ts';
import { AddressRefused, OutboundFailure, toFailure } from './outbound-failure.ts';
import { type Lookup, lookUpAddresses } from './outbound-lookup.ts';

export type OutboundOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For all of it: name lookup, connecting, sending, and the last byte of the answer. */
  timeoutMs: number;
  /** Authorities in PEM form to trust in place of the usual ones. */
  ca?: string;
};

export type OutboundAnswer = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The answer, or its first `maxAnswerBytes` when `truncated`. */
  body: Buffer;
  truncated: boolean;
  durationMs: number;
};

export type OpenAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Throws OutboundFailure like the call itself. Read it to its end, or abort. */
  body: AsyncIterable<Buffer>;
  abort(): void;
};

export type Outbound = {
  /** Sends a request and reads the answer, at most `maxAnswerBytes` of it. */
  request(
    url: string,
    options: OutboundOptions & { maxAnswerBytes: number },
  ): Promise<OutboundAnswer>;
  /** The same for answers that are looked through without being held. */
  open(url: string, options: OutboundOptions): Promise<OpenAnswer>;
  /** The guarded connections, for a library that takes a dispatcher. */
  dispatcher: Dispatcher;
  /** Cuts what is under way. */
  close(): Promise<void>;
};

const connectTimeoutMs = 5_000;
const mostAddressesTried = 3;

/**
 * HTTP to addresses that tenants choose. Public addresses only, besides the networks in
 * `allowPrivate`; `http://` only to those; redirects are answers like any other.
 *
 * The guard sits where connections are made, on the address really connected to: a name that
 * changes its address between a check and the call gains nothing.
 *
 * Calls throw AddressRefused, or OutboundFailure for every other reason that lies outside.
 */
export function createOutbound(given: {
  /** CIDR networks, see parseNetworks. */
  allowPrivate: string[];
  /** `false` lets plain HTTP go to public addresses as well. */
  requireHttps?: boolean;
  lookup?: Lookup;
}): Outbound {
  const guard = guardAddresses(parseNetworks(given.allowPrivate), given.requireHttps ?? true);
  const lookup = given.lookup ?? ((host) => lookUpAddresses(host));
  const agents = new Map<string, Agent>();

  function agentFor(ca = ''): Agent {
    let agent = agents.get(ca);
    if (!agent) {
      agent = new Agent({
        connect: guardedConnector(guard, lookup, ca),
        allowH2: false,
        pipelining: 1,
        connections: 128,
        // Each call has its own limit; these are for users of the dispatcher.
        headersTimeout: 60_000,
        bodyTimeout: 60_000,
        keepAliveTimeout: 4_000,
        keepAliveMaxTimeout: 30_000,
      });
      agents.set(ca, agent);
    }
    return agent;
  }

  async function open(url: string, options: OutboundOptions): Promise<OpenAnswer> {
    const target = checkUrl(url);
    checkHeaders(options.headers);
    const limit = new AbortController();
    const timer = setTimeout(
      () =>
        limit.abort(new OutboundFailure('timeout', `No answer within ${options.timeoutMs} ms.`)),
      options.timeoutMs,
    );
    let answer: Dispatcher.ResponseData;
    try {
      // undici minds the signal only once it has a connection, so the limit is watched here too.
      const { promise: expired, reject } = Promise.withResolvers<never>();
      limit.signal.addEventListener('abort', () => reject(limit.signal.reason));
      const sent = undiciRequest(target, {
        dispatcher: agentFor(options.ca),
        method: options.method ?? 'GET',
        headers: options.headers,
        body: options.body,
        signal: limit.signal,
      });
      answer = await Promise.race([sent, expired]);
    } catch (error) {
      clearTimeout(timer);
      throw toFailure(limit.signal.reason ?? error);
    }
    const { statusCode: status, headers, body } = answer;
    body.on('error', () => {}); // told to whoever reads; nobody may
    body.once('close', () => clearTimeout(timer));
    return {
      status,
      headers,
      body: failuresOf(body, status, limit.signal),
      abort: () => body.destroy(),
    };
  }

  return {
    open,
    async request(url, options) {
      const startedAt = performance.now();
      const { status, headers, body, abort } = await open(url, options);
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of body) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > options.maxAnswerBytes) break;
      }
      const truncated = bytes > options.maxAnswerBytes;
      if (truncated) abort();
      return {
        status,
        headers,
        body: Buffer.concat(chunks).subarray(0, options.maxAnswerBytes),
        truncated,
        durationMs: performance.now() - startedAt,
      };
    },
    dispatcher: agentFor(),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Looks a host up, refuses it if any of its addresses is out of bounds, connects to one of them. */
function guardedConnector(
  guard: AddressGuard,
  lookup: Lookup,
  ca: string,
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    maxCachedSessions: 100,
    ...(ca ? { ca } : {}),
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const secure = options.protocol === 'https:';
    lookup(host)
      .then((addresses) => {
        if (addresses.length === 0) throw new OutboundFailure('dns', `${host} has no address.`);
        for (const address of addresses) guard(host, address, secure);
        return addresses.slice(0, mostAddressesTried);
      })
      .then(
        (addresses) => tryEach(addresses),
        (error) => callback(error, null),
      );

    function tryEach([address, ...others]: string[]): void {
      connect(
        // The name goes along for the certificate; an address has none, and is checked as such.
        {
          ...options,
          hostname: address as string,
          servername: secure && host !== address ? host : undefined,
        },
        (...[error, socket]) => {
          if (!error) callback(null, socket as NonNullable<typeof socket>);
          else if (others.length > 0 && toFailure(error).kind !== 'tls') tryEach(others);
          else callback(error, null);
        },
      );
    }
  };
}

async function* failuresOf(
  body: AsyncIterable<Buffer>,
  status: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw toFailure(signal.reason ?? error, status);
  }
}

function checkUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new AddressRefused('This is not a URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused('Only https:// URLs can be called.');
  }
  if (url.username || url.password) {
    throw new AddressRefused('The URL must not contain a user name or password.');
  }
  if (url.hostname.endsWith('.')) {
    throw new AddressRefused('The host of the URL must not end with a dot.');
  }
  return url;
}

/** A Host header would choose the name that the certificate is checked for. */
function checkHeaders(headers: Record<string, string> = {}): void {
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() === 'host') throw new TypeError('The Host header comes from the URL.');
  }
}
