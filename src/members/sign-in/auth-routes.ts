import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { acceptInvitation, readInvitation } from '../accept-invitation.ts';
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
} from '../dashboard-schema.ts';
import { forOwnPages } from '../for-own-pages.ts';
import { listMemberships } from '../queries.ts';
import { forgetDevices } from './account-queries.ts';
import type { Auth } from './auth.ts';
import { createPasswordLimit } from './limit-passwords.ts';
import { type Passage, passOn } from './pass-on.ts';
import { endSession, findSession } from './session.ts';

/** What else of better-auth can be reached, by whoever is signed in or on the way to it. */
const passedOn: Record<string, Passage> = {
  '/revoke-sessions': { forgetsDevices: true },
  '/change-password': { body: ChangePassword, password: 'currentPassword', forgetsDevices: true },
  '/update-user': { body: UpdateUser },
  '/two-factor/enable': { body: OwnPassword, password: 'password' },
  '/two-factor/disable': { body: OwnPassword, password: 'password', forgetsDevices: true },
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
          const { email, tenant_slug } = await tryPassword(invitation.email, request.ip, () =>
            acceptInvitation(services, request.body),
          );
          return { success: true as const, data: { email, tenant: tenant_slug } };
        },
      );

      api.post('/sign-in/email', { schema: { body: SignIn } }, async (request, reply) =>
        tryPassword(request.body.email, request.ip, () =>
          passOn(services, request, reply, { body: SignIn }),
        ),
      );

      api.post('/sign-out', async (request, reply) => {
        await endSession(auth, request);
        return passOn(services, request, reply, {});
      });

      api.post(
        '/two-factor/verify-totp',
        { schema: { body: SecondStep } },
        async (request, reply) => {
          // Whoever is signed in sets the second step up, and comes in by no code.
          const signedIn = await findSession(auth, request);
          const takeCode = signedIn ? undefined : passwordLimit.takeCode;
          return passOn(services, request, reply, { body: SecondStep }, takeCode);
        },
      );

      for (const [path, passage] of Object.entries(passedOn)) {
        const { body, password, forgetsDevices } = passage;
        api.post(path, { schema: body ? { body } : {} }, async (request, reply) => {
          // Before the session ends, which some of these do to it.
          const signedIn = await findSession(auth, request);
          const account = password === undefined ? undefined : signedIn?.email;
          const answer = await tryPassword(account, request.ip, () =>
            passOn(services, request, reply, passage),
          );
          if (forgetsDevices && signedIn) await forgetDevices(db, signedIn.userId);
          return answer;
        });
      }
    },
    { prefix: '/auth' },
  );

  /** Counts a try of the account's password before it is looked at; a right one is forgotten. */
  async function tryPassword<Result>(
    account: string | undefined,
    address: string,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    if (!account) return attempt();
    await passwordLimit.count(account, address);
    const result = await attempt();
    await passwordLimit.forget(account, address);
    return result;
  }
}
