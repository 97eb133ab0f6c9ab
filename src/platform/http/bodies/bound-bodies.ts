import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, tooBusy } from '../../errors/api-error.ts';
import { fault } from '../../errors/fault.ts';
import { requireMinimumRate } from '../../listener/limits/limit-bodies.ts';
import { clientNetwork } from '../../values/networks.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type BodyReader, type PieceCheck, readBody, type Verdict } from './read-body.ts';

/**
 * Bodies up to this size are never refused: they cost little more than their connections, whose number is
 * limited.
 */
const smallBytes = 32 * 1024;

export type BodyRules = {
  budget: ByteBudget;
  /** The limit of one body. A longer body is a 400. */
  maxBytes: number;
  /** Whether a request's address belongs to anybody. Called before a long body is held in memory. */
  isExpected?: (request: FastifyRequest) => Promise<boolean>;
};

/**
 * Limits the bodies of routes whose callers are authenticated by the body itself, which anybody can begin to
 * send. The bytes of a long body count against the budget from their arrival until the response is sent. A
 * long body to an unknown address is discarded, and its route responds immediately. Every body must keep a
 * minimum rate.
 *
 * @returns a body reader for the scope's content type parsers
 */
export function boundBodies(scope: FastifyInstance, rules: BodyRules): BodyReader {
  const checks = new WeakMap<FastifyRequest, PieceCheck>();

  scope.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'GET') {
      requireMinimumRate(request.raw);
      if (isLong(request)) checks.set(request, createCheck(request, reply, rules));
    }
    done();
  });

  return (request, payload, done) =>
    readBody(request, payload, rules.maxBytes, done, checks.get(request));
}

function isLong({ headers }: FastifyRequest): boolean {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return isChunked || Number(headers['content-length'] ?? 0) > smallBytes;
}

function createCheck(
  request: FastifyRequest,
  reply: FastifyReply,
  { budget, isExpected }: BodyRules,
): PieceCheck {
  const client = clientNetwork(request.ip);
  const isAnnounced = request.headers['transfer-encoding'] === undefined;
  let isAllowed = isExpected === undefined;
  let held = 0;
  reply.raw.once('close', () => budget.add(client, -held));

  function hold(bytes: number): Verdict {
    if (reply.raw.destroyed) return 'drop';
    const exceeded = held + bytes > smallBytes ? budget.exceeded(client, bytes) : undefined;
    if (exceeded) return exceeded === 'of owner' ? tooManyOfClient() : tooMany();
    held += bytes;
    budget.add(client, bytes);
    return 'keep';
  }

  return (bytes) => {
    if (isAllowed || (!isAnnounced && held + bytes <= smallBytes)) return hold(bytes);
    isAllowed = true;
    return isExpected!(request).then(
      (expected) => (expected ? hold(bytes) : 'drop all'),
      (error) => tooBusy(error),
    );
  };
}

function tooMany(): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'too_many_bodies',
      'Too many long bodies are arriving at the moment. Try again in a moment.',
    ),
    retryAfterSeconds: 5,
    passing: true,
  });
}

function tooManyOfClient(): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_bodies_of_address',
      'Too many long bodies are arriving from this address. Try again in a moment.',
    ),
    retryAfterSeconds: 5,
  });
}
