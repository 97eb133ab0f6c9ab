import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, publicUrl } from '../config.ts';
import { ApiError, errorBody } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { type Auth, clientAddressHeader } from './auth.ts';
import {
  AcceptedInvitation,
  AcceptInvitation,
  Invitation,
  InvitationSecret,
  Session,
} from './dashboard-schema.ts';
import { forOwnPages } from './for-own-pages.ts';
import { createPasswordLimit } from './limit-passwords.ts';
import { listMemberships } from './queries.ts';
import { findSession } from './session.ts';

/** What of better-auth can be reached, and whether it takes a password that could be guessed. */
const passedOn = {
  '/sign-in/email': { password: true },
  '/sign-out': { password: false },
  '/revoke-sessions': { password: false },
  '/change-password': { password: true },
  '/update-user': { password: false },
  '/two-factor/enable': { password: true },
  '/two-factor/disable': { password: true },
  '/two-factor/verify-totp': { password: false },
  '/two-factor/verify-backup-code': { password: false },
  '/two-factor/generate-backup-codes': { password: true },
};

/** Sign-in, sign-out, account and invitations: `/auth/*`. */
export function authRoutes(
  app: FastifyInstance,
  services: { db: Database; auth: Auth; config: Config; clock: Clock },
): void {
  const { db, auth, config } = services;
  const passwordLimit = createPasswordLimit(services);

  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      forOwnPages(scope, config);

      api.get('/session', { schema: { response: { 200: Session } } }, async (request) => {
        const signedIn = await findSession(auth, request);
        if (!signedIn) return { success: true as const, data: null };
        const { userId, email, name, twoFactor } = signedIn;
        const tenants = await listMemberships(db, userId);
        return { success: true as const, data: { email, name, two_factor: twoFactor, tenants } };
      });

      api.post(
        '/invitation',
        { schema: { body: InvitationSecret, response: { 200: Invitation } } },
        async (request) => {
          const { invitation, acceptBy } = await readInvitation(services, request.body.secret);
          const { email, role, tenant_name } = invitation;
          return {
            success: true as const,
            data: { email, role, tenant_name, accept_by: acceptBy },
          };
        },
      );

      api.post(
        '/invitation/accept',
        { schema: { body: AcceptInvitation, response: { 200: AcceptedInvitation } } },
        async (request) => {
          const { invitation } = await readInvitation(services, request.body.secret);
          await passwordLimit.count(invitation.email, request.ip);
          const { email, tenant_slug } = await acceptInvitation(services, request.body);
          await passwordLimit.forget(email, request.ip);
          return { success: true as const, data: { email, tenant: tenant_slug } };
        },
      );

      for (const [path, { password }] of Object.entries(passedOn)) {
        api.post(path, async (request, reply) => {
          const account = password ? await accountOf(path, request) : undefined;
          if (account) await passwordLimit.count(account, request.ip);
          const answer = await auth.handler(toWebRequest(request, config));
          if (account && answer.ok) await passwordLimit.forget(account, request.ip);
          return passBack(answer, reply);
        });
      }
    },
    { prefix: '/auth' },
  );

  /**
   * Whose password is tried: at sign-in the one named, else the one signed in. Whatever email the
   * body of another route names is not looked at there, so it must not be counted either.
   */
  async function accountOf(path: string, request: FastifyRequest): Promise<string | undefined> {
    if (path === '/sign-in/email') {
      const { email } = (request.body ?? {}) as { email?: unknown };
      return typeof email === 'string' ? email : undefined;
    }
    return (await findSession(auth, request))?.email;
  }
}

/** The origin was checked already; better-auth checks it again, against the address it knows. */
function toWebRequest(request: FastifyRequest, config: Config): Request {
  const base = publicUrl(config);
  const headers = new Headers({
    'content-type': 'application/json',
    origin: new URL(base).origin,
    [clientAddressHeader]: request.ip,
    'user-agent': request.headers['user-agent'] ?? '',
  });
  if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
  return new Request(new URL(request.url.split('?')[0] ?? '', base), {
    method: 'POST',
    headers,
    body: JSON.stringify(request.body ?? {}),
  });
}

/** The answer of better-auth in the API's shape. */
async function passBack(answer: Response, reply: FastifyReply) {
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie);
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  if (answer.ok) {
    // The session's secret belongs in the cookie alone.
    const { token: _, session: __, ...data } = body ?? {};
    return { success: true, data };
  }
  if (answer.status >= 500) throw new ApiError('server_error', { cause: body });
  const message = typeof body?.message === 'string' ? body.message : 'That did not work.';
  const status = answer.status === 401 || answer.status === 403 ? answer.status : 422;
  return reply.code(status).send(errorBody(`${message.replace(/\.$/, '')}.`));
}
