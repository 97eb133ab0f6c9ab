import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actingAsCaller } from '../audit/actor.ts';
import type { Config } from '../config.ts';
import { isDryRun } from '../idempotency/is-dry-run.ts';
import { createRespondOnce } from '../idempotency/respond-once.ts';
import { createUsageGatherer } from '../limits/gather-usage.ts';
import { ApiError, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { sendErrorToOwnPages } from '../platform/errors/send-error.ts';
import { onlyNamedFields } from '../platform/http/bodies/only-named-fields.ts';
import { addFurtherFaults } from '../platform/http/faults/further-faults.ts';
import type { ApiServices, TenantApi } from '../tenants/api/tenant-api.ts';
import { allAbilities } from '../tenants/tokens/abilities.ts';
import { ensureDashboardToken } from '../tenants/tokens/dashboard-token.ts';
import { forOwnPages } from './for-own-pages.ts';
import { findMembership, type Role } from './queries.ts';
import type { Auth } from './sign-in/auth.ts';
import { signInFirst } from './sign-in/call-better-auth.ts';
import { findSession, type SignedIn } from './sign-in/sessions/session.ts';

export type Member = SignedIn & { tenantId: number; slug: string; role: Role };

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in member; set on every request below `/dashboard-api/{tenant}`. */
    member: Member;
  }
  interface FastifyContextConfig {
    /** Whether only an owner of the tenant may use the route. */
    owner?: boolean;
  }
}

/**
 * Registers the dashboard's API, everything below `/dashboard-api/{tenant}`, with authentication by
 * session cookie. Routes of the public API can be added here unchanged: their caller has every
 * ability.
 *
 * A missing tenant and a tenant without this member are the same 404.
 */
export function dashboardApi(
  app: FastifyInstance,
  services: ApiServices & { auth: Auth; config: Config },
  addRoutes: (api: TenantApi) => void,
): void {
  const { db, auth, config, holds, countRequest, limitConcurrency, readDatabases } = services;
  const usage = createUsageGatherer(services);
  const respondOnce = createRespondOnce({
    ...services,
    count: async (request) => void (await countRequest(request.caller, request)),
  });
  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      forOwnPages(scope, config);
      api.addHook('onRoute', (route) => {
        // A template has as many fields as it likes, so the routes of sends name only some.
        if (!route.config?.sends) route.handler = onlyNamedFields(route);
        route.handler = actingAsCaller(route.handler);
        // The last wrapper runs first. The keys of members belong to the token of the dashboard, which only sends have.
        if (route.config?.sends) route.handler = respondOnce(route.handler);
        route.handler = readDatabases('dashboard', route);
        route.handler = limitConcurrency(route);
        route.handler = holds.guard(route);
      });
      // Only sends have a token, and are counted in its usage.
      api.addHook('onResponse', async (request, reply) => {
        const { caller, routeOptions } = request;
        const { sends } = routeOptions.config;
        if (!caller || !sends) return;
        const status = reply.statusCode;
        const isSent =
          status === 200 && !reply.hasHeader('idempotency-replayed') && !isDryRun(request);
        usage.note(caller.tenantId, caller.tokenId, status, isSent ? sends : undefined);
      });
      api.addHook('onClose', () => usage.flush());
      api.addHook('onRequest', async (request, reply) => {
        request.attemptId = null;
        request.db = db;
        await authenticate(request, reply);
        if (request.routeOptions.config.owner && request.member.role !== 'owner') {
          throw onlyOwners();
        }
      });
      api.setErrorHandler(async (error, request, reply) =>
        sendErrorToOwnPages(await addFurtherFaults(error, request), request, reply),
      );
      addRoutes(api);
    },
    { prefix: '/dashboard-api/:tenant' },
  );

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const signedIn = await findSession(auth, request, reply);
    if (!signedIn) throw new ApiError('unauthorized', { message: signInFirst });
    const { tenant } = request.params as { tenant: string };
    const membership = await findMembership(db, signedIn.userId, tenant);
    if (!membership) throw notFound();
    const { tenant_id: tenantId, slug, plan, role } = membership;
    request.member = { ...signedIn, tenantId, slug, role };
    request.caller = {
      tenantId,
      slug,
      plan,
      // Only what sends or counts needs a token.
      tokenId: request.routeOptions.config.sends ? await ensureDashboardToken(db, tenantId) : 0,
      abilities: new Set(allAbilities),
      memberId: signedIn.userId,
    };
  }
}

export function onlyOwners(): ApiError {
  return new ApiError('forbidden', { message: fault('owners_only', 'Only an owner may do this.') });
}
