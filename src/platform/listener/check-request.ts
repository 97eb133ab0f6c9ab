import { type IncomingMessage, METHODS } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { maxHeaderBytes, maxHeaders } from './limits/limits.ts';
import { headersTooLong } from './refuse.ts';

const knownMethods = new Set(METHODS);
const absoluteForm = /^https?:\/\/([^/?#@]+)([/?].*)?$/is;

/**
 * Checks what Node's parser accepts and RFC 9112 forbids, because an attacker could exploit servers that read
 * such a request differently. A target in absolute form is replaced: the request then has its path and its
 * host.
 *
 * @returns what is wrong with the request, for a 400; undefined if it can be served
 */
export function problemOf(request: IncomingMessage): string | undefined {
  const { headers, httpVersionMajor, httpVersionMinor, rawHeaders, url = '' } = request;
  if (httpVersionMajor !== 1) return 'The request must be HTTP/1.1 or HTTP/1.0.';
  if (rawHeaders.length >= 2 * maxHeaders) return 'The request has too many headers.';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (httpVersionMinor === 0) return 'HTTP/1.0 has no Transfer-Encoding. Send a Content-Length.';
    if (coding.toLowerCase() !== 'chunked') return 'Transfer-Encoding can only be chunked.';
  }
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return 'The request has more than one Host header.';
  if (hosts === 0 && httpVersionMinor > 0) {
    return 'The request has no Host header, which HTTP/1.1 requires.';
  }
  return url.startsWith('/') ? undefined : readTarget(request, url);
}

/**
 * Checks what nghttp2 accepts and RFC 9113 forbids. It has refused unknown pseudo-headers, headers of
 * connections, and bodies of another length than announced.
 *
 * @returns what is wrong with the request, for a 400; undefined if it can be served
 */
export function problemOfHttp2(request: Http2ServerRequest): string | undefined {
  const { method, url, headers, rawHeaders } = request;
  // Node's parser of HTTP/1.1 refuses these. Fastify would write its routes to the log for each.
  if (!knownMethods.has(method)) return 'The method is not known.';
  if (method === 'CONNECT') return 'The method CONNECT is not supported.';
  if (rawHeaders.length >= 2 * maxHeaders) return 'The request has too many headers.';
  // nghttp2 applies the limit only once the client has acknowledged it.
  if (lengthOf(rawHeaders) > maxHeaderBytes) return headersTooLong;
  const hosts = valuesOf(rawHeaders, 'host');
  const authority = valuesOf(rawHeaders, ':authority')[0] ?? '';
  if (authority !== '' && hosts.some((host) => host !== authority)) {
    return 'The Host header differs from :authority.';
  }
  if (!headers.host) return 'The request has no :authority, which names the host in HTTP/2.';
  if (/[/?#@]/.test(authority)) return 'The :authority of the request must be a host.';
  return url.startsWith('/') || url === '*'
    ? undefined
    : 'The target of the request must be a path.';
}

function lengthOf(texts: string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function valuesOf(rawHeaders: string[], name: string): string[] {
  return rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1] === name);
}

/** Counts the Host headers. Node keeps the first of several. */
function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** RFC 9112, section 3.2.2: the host of the target replaces that of the header. */
function readTarget(request: IncomingMessage, url: string): string | undefined {
  if (url === '*') return undefined;
  const [, host, path = '/'] = absoluteForm.exec(url) ?? [];
  if (host === undefined) return 'The target of the request must be a path.';
  request.headers.host = host;
  request.url = path.startsWith('/') ? path : `/${path}`;
  return undefined;
}
