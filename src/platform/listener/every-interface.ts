import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns the address to listen on. `::` stands for every interface, of IPv6 and IPv4. On a machine whose kernel has no
 * IPv6, it is replaced by 0.0.0.0.
 */
export async function everyInterface(host: string): Promise<string> {
  if (host !== '::') return host;
  const probe = createServer().listen({ port: 0, host, exclusive: true });
  try {
    await once(probe, 'listening');
    return host;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL') return '0.0.0.0';
    throw error;
  } finally {
    probe.close();
  }
}
