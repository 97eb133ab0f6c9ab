import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { ControlError } from './control/control-error.ts';
import { controlRoutes } from './control/control-routes.ts';
import { phoneRoutes } from './control/phone-routes.ts';
import { proofRoute } from './control/proof.ts';
import { accountRoutes } from './graph/account-routes.ts';
import { GraphError } from './graph/graph-errors.ts';
import { graphRoutes } from './graph/graph-routes.ts';
import { mediaRoutes } from './graph/media-routes.ts';
import { createNetwork, type Network } from './network.ts';
import { keepState } from './state-file.ts';
import type { Log } from './types.ts';

export interface SimulatorOptions {
  /** A loopback address; the control API has no password. */
  host?: string;
  /** 0 takes any free port. */
  port?: number;
  /** Keeps numbers, templates and conversations over a restart. */
  stateFile?: string;
  log?: Log;
}

export interface Simulator {
  url: string;
  port: number;
  /** Checks with `isSimulator` that it is this simulator that listens at an address. */
  proofKey: string;
  close(): Promise<void>;
}

/**
 * Starts the fake WhatsApp network on its own plain-HTTP listener: the Graph API under any
 * version, the control API under `/simulator/`, and a phone in the browser at `/`.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, stateFile, log = () => {} } = options;
  const network = createNetwork(log, stateFile ? `${stateFile}.media` : null);
  const flush = stateFile ? keepState(network, stateFile) : () => {};
  const proofKey = randomBytes(32).toString('hex');
  const app = buildApp(network);
  proofRoute(app, proofKey);
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
    // Sends that are never answered and open event streams must not hold up the end.
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    routerOptions: {
      maxParamLength: 300,
      ignoreTrailingSlash: true,
      // Of a parameter that comes twice the last one holds, as with the real network.
      querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
    },
    frameworkErrors: (_error, request, reply) => answerUnknownPath(request.url, reply),
    // Any version of the Graph API, or none, is the same to us.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/+v\d+\.\d+\/+/, '/'),
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answerError(network, error, request.url.startsWith('/simulator'), reply),
  );
  app.setNotFoundHandler((request, reply) => answerUnknownPath(request.url, reply));
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  controlRoutes(app, network);
  phoneRoutes(app, network);
  graphRoutes(app, network);
  accountRoutes(app, network);
  mediaRoutes(app, network);
  return app;
}

function answerUnknownPath(url: string, reply: FastifyReply): FastifyReply {
  // A path that cannot be decoded passes no hook.
  reply.header('x-content-type-options', 'nosniff');
  if (url.startsWith('/simulator')) return reply.code(404).send({ error: 'no such path' });
  const refusal = GraphError.of(2500, `Unknown path components: ${url.split('?')[0]}`);
  return reply.code(refusal.http).send(refusal.body);
}

function answerError(
  network: Network,
  error: FastifyError,
  control: boolean,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof GraphError) {
    if (error.http === 401)
      reply.header('www-authenticate', 'OAuth "Facebook Platform" "invalid_token"');
    return reply.code(error.http).type('application/json; charset=UTF-8').send(error.body);
  }
  if (error instanceof ControlError) return reply.code(error.http).send({ error: error.message });
  const status = error.statusCode ?? 500;
  if (status >= 500) network.log('the simulator failed', { error: error.stack });
  if (control) return reply.code(status).send({ error: error.message });
  // A body that is no JSON reaches the network's own checks as an empty one.
  const refusal =
    status < 500
      ? GraphError.parameter('The parameter messaging_product is required.')
      : GraphError.of(131000);
  return reply.code(refusal.http).send(refusal.body);
}
