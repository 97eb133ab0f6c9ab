import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Listener, type ListenOptions, listen } from '../../src/platform/listener/listen.ts';
import { loadTls, type Tls } from '../../src/platform/tls/load-tls.ts';

export type TestListener = {
  dataDir: string;
  tls: Tls;
  /** The authority that signed the listener's certificate. */
  ca: string;
  /** The app of the current test, with only the routes that the test file adds. */
  app: FastifyInstance;
  /** Starts the listener. It is closed after the test. */
  open(options?: Partial<ListenOptions>): Promise<Listener>;
  /**
   * Opens a TLS connection to the listener, optionally from another loopback address. Without `protocols`, the
   * client offers none in the handshake, which means HTTP/1.1.
   */
  secure(localAddress?: string, protocols?: string[]): Promise<TLSSocket>;
  /** Opens a connection to the listener and sends nothing. */
  plain(localAddress?: string): Promise<Socket>;
};

/**
 * Starts the real listener with a new app for each test.
 *
 * @param addRoutes adds the routes of an app
 */
export function testListener(addRoutes: (app: FastifyInstance) => void): TestListener {
  const test = {} as TestListener;
  let listener: Listener | undefined;

  beforeAll(async () => {
    test.dataDir = await mkdtemp(join(tmpdir(), 'parley-listener-'));
    test.tls = await loadTls({ dataDir: test.dataDir, names: [] });
    test.ca = await readFile(test.tls.authorityPath!, 'utf8');
  });
  afterAll(() => rm(test.dataDir, { recursive: true }));

  beforeEach(() => {
    test.app = Fastify();
    addRoutes(test.app);
  });
  afterEach(async () => {
    await listener?.close();
    listener = undefined;
    await test.app.close();
  });

  test.open = async (options = {}) => {
    const { app, tls } = test;
    listener = await listen(app, {
      host: '127.0.0.1',
      port: 0,
      tls,
      trustedProxies: [],
      ...options,
    });
    return listener;
  };
  test.plain = async (localAddress = '127.0.0.1') => {
    const socket = connectTcp({ port: listener!.port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return socket;
  };
  test.secure = async (localAddress, protocols) => {
    const socket = connectTls({
      socket: await test.plain(localAddress),
      ca: test.ca,
      servername: 'localhost',
      ...(protocols && { ALPNProtocols: protocols }),
    });
    await once(socket, 'secureConnect');
    return socket;
  };
  return test;
}

/** Reads everything that the other side sends until the connection ends, in whatever way. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  if (!socket.destroyed && !socket.readableEnded) {
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  }
  socket.destroy();
  return text;
}
