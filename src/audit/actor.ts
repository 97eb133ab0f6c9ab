import { AsyncLocalStorage } from 'node:async_hooks';
import type { RouteHandlerMethod } from 'fastify';

/** Who makes a change. */
export type Actor =
  | { kind: 'member' | 'token'; id: string }
  /** A command on the server. */
  | { kind: 'operator' }
  /** Background work of Parley itself. */
  | { kind: 'system' };

const current = new AsyncLocalStorage<Actor>();

/**
 * Runs `work` on behalf of an actor. Every route and every command runs in it, so that no verb in between has to pass the
 * actor on, and none can forget it.
 */
export function actingAs<Result>(actor: Actor, work: () => Result): Result {
  return current.run(actor, work);
}

/** Returns on whose behalf the current work runs: the system, if nobody asked for it. */
export function currentActor(): Actor {
  return current.getStore() ?? { kind: 'system' };
}

/** Wraps the handler of a route, which then acts as its caller: a member in the dashboard, otherwise a token. */
export function actingAsCaller(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    const { memberId, tokenId } = request.caller;
    const actor: Actor =
      memberId === undefined
        ? { kind: 'token', id: String(tokenId) }
        : { kind: 'member', id: memberId };
    return actingAs(actor, () => handler.call(this, request, reply));
  };
}
