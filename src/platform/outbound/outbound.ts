import type { Readable } from 'node:stream';
import { Agent, buildConnector, request as undiciRequest } from 'undici';
import { parseNetworks } from '../networks.ts';
import type { AnswerHead } from './answer-head.ts';
import { type AddressGuard, guardAddresses } from './guard-addresses.ts';
import { type Lookup, lookUpAddresses } from './look-up-addresses.ts';
import { type Landing, type MeasuredAnswer, measureAnswer } from './measure-answer.ts';
import { AddressRefused, OutboundFailure, toFailure } from './outbound-failure.ts';

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
};

/** An answer whose body is still to come: read it to its end, or destroy it. */
export type OpenAnswer = AnswerHead & { body: Readable };

export type Outbound = {
  /** Sends a request and reads the answer, at most `maxAnswerBytes` of it. */
  request(
    url: string,
    options: OutboundOptions & { maxAnswerBytes: number },
  ): Promise<OutboundAnswer>;
  /**
   * Gets an address and hands its answer on as it comes. A body of which nothing comes for a minute,
   * while somebody reads it, breaks off.
   *
   * @param options.timeoutMs until the head has come
   */
  open(
    url: string,
    options: Pick<OutboundOptions, 'headers' | 'timeoutMs' | 'ca'>,
  ): Promise<OpenAnswer>;
  /**
   * Gets an address and measures its answer without holding any of it.
   *
   * @param options.enough after how many bytes of the body to stop, by what the head says
   */
  measure(
    url: string,
    options: Pick<OutboundOptions, 'headers' | 'timeoutMs' | 'ca'> & {
      enough: (head: AnswerHead) => number;
    },
  ): Promise<MeasuredAnswer>;
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
  const { requireHttps = true } = given;
  const guard = guardAddresses(parseNetworks(given.allowPrivate), requireHttps);
  const lookup = given.lookup ?? ((host) => lookUpAddresses(host));
  const agents = new Map<string, Agent>();
  const underWay = new Set<AbortController>();
  let closed: OutboundFailure | undefined;

  function agentFor(ca = ''): Agent {
    let agent = agents.get(ca);
    if (!agent) {
      agent = new Agent({
        connect: guardedConnector(guard, lookup, ca),
        allowH2: false,
        pipelining: 1,
        // No limit for an origin: many tenants can have theirs at one, and would wait for each other.
        // How much is under way for each tenant is for the caller to limit.
        connections: null,
        // Most calls have their own limit; these are for open bodies.
        headersTimeout: 60_000,
        bodyTimeout: 60_000,
        keepAliveTimeout: 4_000,
        keepAliveMaxTimeout: 30_000,
      });
      agents.set(ca, agent);
    }
    return agent;
  }

  /** Sends a request as far as the head of its answer. */
  async function send(
    target: URL,
    options: Omit<OutboundOptions, 'timeoutMs'>,
    signal: AbortSignal,
  ) {
    // undici minds the signal only once it has a connection, so the limit is watched here too.
    const { promise: expired, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    const { ca, ...sent } = options;
    const answer = await Promise.race([
      undiciRequest(target, { ...sent, dispatcher: agentFor(ca), signal }),
      expired,
    ]);
    answer.body.on('error', () => {}); // told to whoever reads; nobody may
    return answer;
  }

  /** Checks what is to be called, and gives all of the call its time. */
  async function within<Answer>(
    url: string,
    headers: OutboundOptions['headers'],
    timeoutMs: number,
    call: (target: URL, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const target = checkUrl(url, requireHttps);
    checkHeaders(headers);
    if (closed) throw closed;
    const limit = new AbortController();
    const expire = () =>
      limit.abort(new OutboundFailure('timeout', `No answer within ${timeoutMs} ms.`));
    const timer = setTimeout(expire, timeoutMs);
    underWay.add(limit);
    try {
      return await call(target, limit.signal);
    } finally {
      clearTimeout(timer);
      underWay.delete(limit);
    }
  }

  return {
    request: (url, { timeoutMs, maxAnswerBytes, ...options }) =>
      within(url, options.headers, timeoutMs, async (target, signal) => {
        let status: number | undefined;
        try {
          const answer = await send(target, options, signal);
          status = answer.statusCode;
          const chunks: Buffer[] = [];
          let bytes = 0;
          for await (const chunk of answer.body) {
            chunks.push(chunk);
            bytes += chunk.length;
            if (bytes > maxAnswerBytes) break;
          }
          return {
            status,
            headers: answer.headers,
            body: Buffer.concat(chunks).subarray(0, maxAnswerBytes),
            truncated: bytes > maxAnswerBytes,
          };
        } catch (error) {
          if (signal.reason?.kind === 'timeout' && status !== undefined) {
            const words = `The answer had begun and did not end within ${timeoutMs} ms.`;
            throw new OutboundFailure('timeout', words, { status, cause: error });
          }
          throw toFailure(signal.reason ?? error, status);
        }
      }),

    open: (url, { timeoutMs, ...options }) =>
      within(url, options.headers, timeoutMs, async (target, signal) => {
        try {
          const answer = await send(target, options, signal);
          const headers = Object.entries(answer.headers).map(([name, value]) => [
            name,
            String(value),
          ]);
          return {
            status: answer.statusCode,
            headers: Object.fromEntries(headers),
            body: answer.body,
          };
        } catch (error) {
          throw toFailure(signal.reason ?? error);
        }
      }),

    measure: (url, { timeoutMs, headers, ca, enough }) =>
      within(url, headers, timeoutMs, (target, signal) =>
        measureAnswer(target, {
          connectTo: (onread) => guardedConnector(guard, lookup, ca, onread),
          headers,
          enough,
          signal,
        }),
      ),

    async close() {
      const stopping = new OutboundFailure('connection', 'The service is stopping.');
      closed = stopping;
      for (const limit of underWay) limit.abort(stopping);
      await Promise.all([...agents.values()].map((agent) => agent.destroy(stopping)));
    },
  };
}

/** Looks a host up, refuses it if any of its addresses is out of bounds, connects to one of them. */
function guardedConnector(
  guard: AddressGuard,
  lookup: Lookup,
  ca = '',
  onread?: Landing,
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    maxCachedSessions: 100,
    ...(ca ? { ca } : {}),
    ...(onread ? { onread } : {}),
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

function checkUrl(text: string, requireHttps: boolean): URL {
  const url = URL.parse(text);
  if (!url) throw new AddressRefused('This is not a URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const schemes = requireHttps ? 'https://' : 'https:// and http://';
    throw new AddressRefused(`Only ${schemes} URLs can be called.`);
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
