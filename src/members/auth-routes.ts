import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import type { Auth } from './auth.ts';
import {
  AcceptedInvitation,
  AcceptInvitation,
  ChangePassword,
  Invitation,
  InvitationSecret,
  OwnPassword,
  SecondStep,
  Session,
  SignIn,
  UpdateUser,
} from './dashboard-schema.ts';
import { forOwnPages } from './for-own-pages.ts';
import { createPasswordLimit } from './limit-passwords.ts';
import { type Passage, passOn } from './pass-on.ts';
import { forgetDevices, listMemberships } from './queries.ts';
import { endSession, findSession } from './session.ts';

/** What of better-auth can be reached. */
const passedOn: Record<string, Passage> = {
  '/sign-in/email': { body: SignIn, password: 'password' },
  '/sign-out': {},
  '/revoke-sessions': { forgetsDevices: true },
  '/change-password': { body: ChangePassword, password: 'currentPassword', forgetsDevices: true },
  '/update-user': { body: UpdateUser },
  '/two-factor/enable': { body: OwnPassword, password: 'password' },
  '/two-factor/disable': { body: OwnPassword, password: 'password', forgetsDevices: true },
  '/two-factor/verify-totp': { body: SecondStep },
  '/two-factor/verify-backup-code': { body: SecondStep },
  '/two-factor/generate-backup-codes': { body: OwnPassword, password: 'password' },
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

      for (const [path, passage] of Object.entries(passedOn)) {
        const { body, password, forgetsDevices } = passage;
        const isSignIn = path === '/sign-in/email';
        const isSignOut = path === '/sign-out';
        api.post(path, { schema: body ? { body } : {} }, async (request, reply) => {
          if (isSignOut) await endSession(auth, request);
          // Before the session ends, which some of these do to it.
          const signedIn = isSignIn || isSignOut ? undefined : await findSession(auth, request);
          // Whose password is tried. Whatever email the body of another route names is not looked at
          // there, so it must not be counted either.
          const email = isSignIn ? (request.body as Static<typeof SignIn>).email : signedIn?.email;
          const account = password && email;
          if (account) await passwordLimit.count(account, request.ip);
          const isSecondStep = path === '/two-factor/verify-totp' && !signedIn;
          const takes = isSecondStep ? passwordLimit.takeCode : undefined;
          const answer = await passOn(services, request, reply, passage, takes);
          if (account) await passwordLimit.forget(account, request.ip);
          if (forgetsDevices && signedIn) await forgetDevices(db, signedIn.userId);
          return answer;
        });
      }
    },
    { prefix: '/auth' },
  );
}
