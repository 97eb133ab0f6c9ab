import type { Socket } from 'node:net';
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import type { Metrics } from '../../metrics.ts';
import { clientNetwork, type Networks } from '../../values/networks.ts';

export type ConnectionLimits = {
  /** The maximum number of open connections, including those still in the TLS handshake. */
  total: number;
  /** The maximum of one client address, or of one IPv6 /64. Trusted proxies are exempt. */
  perAddress: number;
};

export type ConnectionLimiter = {
  /** Counts a new connection until it closes. A connection beyond a limit is destroyed. */
  admit(socket: Socket): boolean;
};

type Options = {
  limits: ConnectionLimits;
  trustedProxies: Networks;
  log?: { warn(text: string): void } | undefined;
  metrics?: Pick<Metrics, 'connections' | 'refusedConnections'> | undefined;
};

const logEveryMs = 10_000;

/** Limits the connections of a listener. A refused one costs no TLS handshake. */
export function createConnectionLimiter(options: Options): ConnectionLimiter {
  const { limits, trustedProxies, metrics } = options;
  const perAddress = createKeyedSemaphore<string>(limits.perAddress);
  const logRefusal = createRefusalLog(options);
  let open = 0;

  function refuse(socket: Socket, limit: keyof ConnectionLimits): false {
    const { remoteAddress = '' } = socket;
    socket.destroy();
    metrics?.refusedConnections.inc({ limit: limit === 'total' ? 'total' : 'address' });
    logRefusal(limit, remoteAddress);
    return false;
  }

  return {
    admit(socket) {
      const { remoteAddress = '' } = socket;
      if (open >= limits.total) return refuse(socket, 'total');
      const release = trustedProxies.includes(remoteAddress)
        ? () => {}
        : perAddress.tryAcquire(clientNetwork(remoteAddress));
      if (!release) return refuse(socket, 'perAddress');
      metrics?.connections.set(++open);
      socket.once('close', () => {
        release();
        metrics?.connections.set(--open);
      });
      return true;
    },
  };
}

/** Logs refusals, at most one line in ten seconds: a flood must not fill the log too. */
function createRefusalLog({ limits, log }: Options) {
  let refused = 0;
  let nextAt = 0;
  let timer: NodeJS.Timeout | undefined;

  return function logRefusal(limit: keyof ConnectionLimits, address: string): void {
    refused++;
    if (timer) return;
    const write = () => {
      const reason =
        limit === 'total'
          ? `${limits.total} are open (PARLEY_MAX_CONNECTIONS)`
          : `${limits.perAddress} of ${address} are open (PARLEY_MAX_CONNECTIONS_PER_ADDRESS)`;
      log?.warn(`Connections refused: ${refused}. The first one because ${reason}.`);
      refused = 0;
      timer = undefined;
      nextAt = performance.now() + logEveryMs;
    };
    const waitMs = nextAt - performance.now();
    if (waitMs <= 0) write();
    else timer = setTimeout(write, waitMs).unref();
  };
}
