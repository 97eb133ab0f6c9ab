import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';

/** Opens a TLS connection to the service from a loopback address. */
export async function openTls(
  url: string,
  localAddress = '127.0.0.4',
  protocols?: string[],
): Promise<tls.TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({
    socket: net.connect({ host: hostname, port: Number(port), localAddress }),
    rejectUnauthorized: false,
    ...(protocols && { ALPNProtocols: protocols }),
  });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]);
  return socket;
}
