import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { fault } from '../errors/fault.ts';
import { parseNetworks } from '../values/networks.ts';
import { guardAddresses } from './addresses/guard-addresses.ts';
import { guardedConnector } from './addresses/guarded-connector.ts';
import { type Lookup, lookUpAddresses } from './addresses/look-up-addresses.ts';
import { vetHost } from './addresses/vet-host.ts';
import { AddressRefused, OutboundFailure } from './outbound-failure.ts';
import { feedParser } from './responses/feed-parser.ts';
import { type MeasuredResponse, measureResponse } from './responses/measure-response.ts';
import { type OpenLimits, type OpenResponse, openResponse } from './responses/open-response.ts';
import type { ResponseHead } from './responses/response-head.ts';
import { parserHeaderBytes } from './responses/response-limits.ts';
import { type ReceivedResponse, sendRequest } from './send-request.ts';

type Options = {
  headers?: Record<string, string>;
  /** The limit of everything: name lookup, connecting, sending, and the last byte of the response. */
  timeoutMs: number;
  /** Authorities in PEM form to trust instead of the usual ones. */
  ca?: string;
};

export type RequestOptions = Options & {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: string | Buffer;
  /** The connection is closed after this many bytes of the response's body. */
  maxBodyBytes: number;
};

export type Outbound = {
  /**
   * Looks up the host of a URL and checks each of its addresses, without connecting. Every call is checked
   * again when it connects, because the addresses of a name can change.
   */
  vet(url: string): Promise<void>;
  /** Sends a request and reads the response into memory, at most `maxBodyBytes` of its body. */
  request(url: string, options: RequestOptions): Promise<ReceivedResponse>;
  /** Requests an address and returns its response with a body to read. */
  open(url: string, options: Options & OpenLimits): Promise<OpenResponse>;
  /**
   * Requests an address and measures its response without keeping it.
   *
   * @param options.enough returns the number of body bytes to stop after, given the head; 0 for none
   */
  measure(
    url: string,
    options: Options & { enough: (head: ResponseHead) => number },
  ): Promise<MeasuredResponse>;
  /** Cuts all requests in progress. */
  close(): Promise<void>;
};

/**
 * Creates an HTTP client for addresses that tenants choose. It calls only public addresses and the networks
 * in `allowPrivate`, and uses `http://` only for the latter. Redirects are returned like any other response.
 *
 * The guard checks the address that is really connected to, so a name that changes its address between a
 * check and the call gains nothing.
 *
 * Every response is limited in time and in bytes of every kind (response-limits.ts).
 *
 * Calls throw AddressRefused, or OutboundFailure for any other failure outside.
 */
export function createOutbound(given: {
  /** Addresses and CIDR ranges, see parseNetworks. */
  allowPrivate: string[];
  /** `false` allows plain HTTP to public addresses. */
  requireHttps?: boolean;
  lookup?: Lookup;
}): Outbound {
  const { requireHttps = true } = given;
  const guard = guardAddresses(parseNetworks(given.allowPrivate), requireHttps);
  const lookup = given.lookup ?? ((host) => lookUpAddresses(host));
  /** The connections for each authority that is trusted instead of the usual ones. */
  const transports = new Map<
    string | undefined,
    { connect: buildConnector.connector; agent: Agent }
  >();
  /** The clients of the responses that have their own connections. */
  const clients = new Set<Dispatcher>();
  let closed: OutboundFailure | undefined;

  function transportFor(ca: string | undefined) {
    let transport = transports.get(ca);
    if (!transport) {
      const connect = guardedConnector(guard, lookup, ca);
      const agent = new Agent({
        connect: feedParser(connect),
        allowH2: false,
        pipelining: 1,
        // No limit for an origin: many tenants can use the same one, and would wait for each other. Callers
        // limit how many requests of a tenant are in progress.
        connections: null,
        maxHeaderSize: parserHeaderBytes,
        // Each request has its own time limit.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: 4_000,
        keepAliveMaxTimeout: 30_000,
      });
      transport = { connect, agent };
      transports.set(ca, transport);
    }
    return transport;
  }

  /** Checks a request before a connection is made. */
  function check(url: string, headers: Options['headers']): URL {
    const target = checkUrl(url, requireHttps);
    checkHeaders(headers);
    if (closed) throw closed;
    return target;
  }

  return {
    async vet(url) {
      await vetHost(checkUrl(url, requireHttps), guard, lookup);
    },

    async request(url, { method = 'GET', headers, body, ca, ...limits }) {
      const { origin, pathname, search } = check(url, headers);
      const request = { origin, path: pathname + search, method, headers, body };
      return sendRequest(transportFor(ca).agent, request, limits);
    },

    async open(url, { headers, ca, ...limits }) {
      const target = check(url, headers);
      return openResponse(target, {
        connect: transportFor(ca).connect,
        headers,
        clients,
        ...limits,
      });
    },

    async measure(url, { ca, ...options }) {
      const target = check(url, options.headers);
      return measureResponse(target, { connect: transportFor(ca).connect, clients, ...options });
    },

    async close() {
      const stopping = new OutboundFailure(
        'connection',
        fault('service_stopping', 'The service is stopping.'),
      );
      closed = stopping;
      const agents = [...transports.values()].map(({ agent }) => agent);
      await Promise.all([...agents, ...clients].map((each) => each.destroy(stopping)));
    },
  };
}

function checkUrl(text: string, requireHttps: boolean): URL {
  const url = URL.parse(text);
  if (!url) throw new AddressRefused(fault('not_a_url', 'This is not a URL.'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(
      requireHttps
        ? fault('only_https', 'Only https:// URLs can be called.')
        : fault('only_http', 'Only https:// and http:// URLs can be called.'),
    );
  }
  if (url.username || url.password) {
    throw new AddressRefused(
      fault('user_in_url', 'The URL must not contain a user name or password.'),
    );
  }
  if (url.hostname.endsWith('.')) {
    throw new AddressRefused(
      fault('dot_after_host', 'The host of the URL must not end with a dot.'),
    );
  }
  return url;
}

/** Refuses a Host header, which would choose the name that the certificate is checked for. */
function checkHeaders(headers: Record<string, string> = {}): void {
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() === 'host') throw new TypeError('The Host header comes from the URL.');
  }
}
