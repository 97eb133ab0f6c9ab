import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Tls } from '../../src/platform/tls/load-tls.ts';

/** Starts a proxy that terminates TLS and speaks only HTTP/1.1, in front of a service without TLS. */
export async function startHttp1Proxy({ cert, key }: Tls, service: string) {
  const server = createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const onward = request(service + url, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
