import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { createLateCompiler } from './compile-later.ts';
import { ControlError } from './control/control-error.ts';
import { controlRoutes } from './control/control-routes.ts';
import { phoneRoutes } from './control/phone-routes.ts';
import { proofRoute } from './control/proof.ts';
import { accountRoutes } from './graph/account-routes.ts';
import { hasKnownToken } from './graph/authorise.ts';
import { connectionRoutes } from './graph/connection-routes.ts';
import { GraphError } from './graph/graph-errors.ts';
import { graphRoutes } from './graph/graph-routes.ts';
import { mediaRoutes } from './graph/media-routes.ts';
import { createNetwork, type Network } from './network.ts';
import { persistState } from './state-file.ts';
import type { Log } from './types.ts';

export type SimulatorOptions = {
  /** A loopback address, because the control API has no password. */
  host?: string;
  /** 0 takes any free port. */
  port?: number;
  /** Adds a page with the phones at `/`. Without it the network has no page. */
  page?: (app: FastifyInstance) => Promise<void>;
  /** File that saves numbers, templates and chats across restarts. */
  stateFile?: string;
  /**
   * Whether new numbers may send free text only within 24 hours of a person's last message to them, as on the real
   * network. The control API switches it for each number.
   */
  window?: boolean;
  log?: Log;
};

export type Simulator = {
  url: string;
  port: number;
  /** Key for `isSimulator`, which checks that this simulator listens at a URL. */
  proofKey: string;
  close(): Promise<void>;
};

/**
 * Starts the simulated WhatsApp network on its own plain-HTTP listener: the Graph API in any
 * version, the control API under `/simulator/`, and the given page at `/`.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, page, stateFile, window = false, log = () => {} } = options;
  const network = createNetwork(log, stateFile ? `${stateFile}.media` : null, { window });
  const flush = stateFile ? persistState(network, stateFile) : () => {};
  const proofKey = randomBytes(32).toString('hex');
  const app = buildApp(network);
  proofRoute(app, proofKey);
  await page?.(app);
  await app.listen({ host, port });
  const address = app.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    proofKey,
    async close() {
      await network.close();
      await app.close();
      flush();
    },
  };
}

function buildApp(network: Network): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    // Unanswered sends and open event streams must not delay the shutdown.
    forceCloseConnections: true,
    routerOptions: {
      maxParamLength: 300,
      ignoreTrailingSlash: true,
      // The last value of a repeated parameter wins, as with the real network.
      querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
    },
    frameworkErrors: (_error, request, reply) => sendUnknownPath(request.url, reply),
    // All versions of the Graph API, or none, behave the same.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/+v\d+\.\d+\/+/, '/'),
  });
  app.setValidatorCompiler(createLateCompiler());
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(network, error, request, reply),
  );
  app.setNotFoundHandler((request, reply) => sendUnknownPath(request.url, reply));
  app.addHook('onRequest', ({ originalUrl }, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    const version = /^\/+(v\d+\.\d+)\//.exec(originalUrl)?.[1];
    if (version) reply.header('facebook-api-version', version);
    done();
  });
  controlRoutes(app, network);
  phoneRoutes(app, network);
  graphRoutes(app, network);
  accountRoutes(app, network);
  connectionRoutes(app, network);
  mediaRoutes(app, network);
  return app;
}

function sendUnknownPath(url: string, reply: FastifyReply): FastifyReply {
  // No hook runs for a path that cannot be decoded.
  reply.header('x-content-type-options', 'nosniff');
  if (url.startsWith('/simulator')) return reply.code(404).send({ error: 'no such path' });
  const unknownPath = GraphError.of(2500, `Unknown path components: ${url.split('?')[0]}`);
  return reply.code(unknownPath.http).send(unknownPath.body);
}

function sendError(
  network: Network,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof GraphError) return sendGraphError(error, reply);
  if (error instanceof ControlError) return reply.code(error.http).send({ error: error.message });
  const status = error.statusCode ?? 500;
  if (status >= 500) network.log('the simulator failed', { error: error.stack });
  if (request.url.startsWith('/simulator'))
    return reply.code(status).send({ error: error.message });
  return sendGraphError(status < 500 ? malformed(network, request) : GraphError.of(131000), reply);
}

function sendGraphError({ http, body }: GraphError, reply: FastifyReply): FastifyReply {
  if (http === 401) {
    reply.header('www-authenticate', 'OAuth "Facebook Platform" "invalid_token"');
  }
  return reply.code(http).type('application/json; charset=UTF-8').send(body);
}

/** The error for a body that is not JSON: the network checks the token first, and treats the body as an empty one. */
function malformed(network: Network, request: FastifyRequest): GraphError {
  return hasKnownToken(network, request)
    ? GraphError.parameter('The parameter messaging_product is required.')
    : GraphError.of(190);
}
