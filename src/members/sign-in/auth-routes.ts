import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { TenantHolds } from '../../moving/holding/tenant-holds.ts';
import type { Database } from '../../platform/database/database.ts';
import { sendErrorToOwnPages } from '../../platform/errors/send-error.ts';
import { boundBodies } from '../../platform/http/bodies/bound-bodies.ts';
import type { ByteBudget } from '../../platform/http/bodies/byte-budget.ts';
import { readJsonBodies } from '../../platform/http/bodies/json-bodies.ts';
import { success } from '../../platform/http/success.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { acceptInvitation, readInvitation } from '../accept-invitation.ts';
import {
  AcceptedInvitation,
  AcceptInvitation,
  AuthDone,
  ChangePassword,
  Invitation,
  InvitationSecret,
  NewBackupCodes,
  OwnPassword,
  SecondStep,
  SecondStepSetUp,
  Session,
  SignedIn,
  SignIn,
  UpdateUser,
} from '../dashboard-schema.ts';
import { forOwnPages } from '../for-own-pages.ts';
import { listMemberships } from '../queries.ts';
import { settleSecondFactor } from './account-queries.ts';
import type { Auth } from './auth.ts';
import { type AuthResponse, type AuthRoute, callBetterAuth } from './call-better-auth.ts';
import { createPasswordChanger } from './passwords/change-password.ts';
import { createKnownDevices } from './passwords/known-devices.ts';
import { createPasswordLimit } from './passwords/limit-passwords.ts';
import { forgetDevices } from './sessions/end-sign-ins.ts';
import { endSession, findSession } from './sessions/session.ts';
import { createSignIn } from './sign-in.ts';

/** The largest valid body of these routes has less than 2 KiB. */
const maxBodyBytes = 16 * 1024;

/** The other routes of better-auth that can be used, during or after a sign-in. */
const betterAuthRoutes: Record<string, AuthRoute> = {
  '/revoke-sessions': { forgetsDevices: true },
  '/update-user': { body: UpdateUser },
  '/two-factor/enable': { body: OwnPassword, password: 'password', response: SecondStepSetUp },
  '/two-factor/disable': { body: OwnPassword, password: 'password', forgetsDevices: true },
  '/two-factor/generate-backup-codes': {
    body: OwnPassword,
    password: 'password',
    response: NewBackupCodes,
  },
};

/** Adds the routes for sign-in, sign-out, account and invitations: `/auth/*`. */
export function authRoutes(
  app: FastifyInstance,
  services: {
    db: Database;
    auth: Auth;
    config: Config;
    vault: Vault;
    /** Limits the memory for bodies of people who are not signed in. */
    bodyBudget: ByteBudget;
    holds: TenantHolds;
  },
): void {
  const { db, auth, config, bodyBudget, holds } = services;
  const passwordLimit = createPasswordLimit(services);
  const devices = createKnownDevices(services.vault);
  const signIn = createSignIn({ ...services, passwordLimit, devices });
  const changePassword = createPasswordChanger({ ...services, passwordLimit });

  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      forOwnPages(scope, config);
      scope.setErrorHandler(sendErrorToOwnPages);
      readJsonBodies(scope, boundBodies(scope, { budget: bodyBudget, maxBytes: maxBodyBytes }));

      api.get('/session', { schema: { response: { 200: Session } } }, async (request, reply) => {
        const signedIn = await findSession(auth, request, reply);
        if (!signedIn) return success({ data: null });
        const { userId, email, name, twoFactor } = signedIn;
        const tenants = await listMemberships(db, userId);
        return success({ data: { email, name, two_factor: twoFactor, tenants } });
      });

      api.post(
        '/invitation',
        { schema: { body: InvitationSecret, response: { 200: Invitation } } },
        async (request) => {
          const { invitation, acceptBy } = await readInvitation(services, request.body.secret);
          holds.checkReads(invitation.tenant_id);
          const { email, role, tenant_name } = invitation;
          return success({ data: { email, role, tenant_name, accept_by: acceptBy } });
        },
      );

      api.post(
        '/invitation/accept',
        { schema: { body: AcceptInvitation, response: { 200: AcceptedInvitation } } },
        async (request) => {
          const { secret, name, password, has_account: hasAccount = false } = request.body;
          const found = await readInvitation(services, secret);
          const { tenant_id: tenantId, tenant_slug: tenant, email } = found.invitation;
          // Never uncounted, because a new link can be created for each guess at an account's
          // password.
          await passwordLimit.countLink(tenantId, email, request.ip);
          await holds.write(tenantId, () =>
            acceptInvitation(services, found, { name, password, hasAccount }),
          );
          return success({ data: { email, tenant } });
        },
      );

      api.post('/sign-in/email', { schema: { body: SignIn, response: { 200: SignedIn } } }, signIn);
      api.post(
        '/change-password',
        { schema: { body: ChangePassword, response: { 200: AuthDone } } },
        changePassword,
      );

      api.post('/sign-out', { schema: { response: { 200: AuthDone } } }, async (request, reply) => {
        await endSession(auth, request);
        return (await callBetterAuth(services, request, reply, {})).response;
      });

      for (const path of ['/two-factor/verify-totp', '/two-factor/verify-backup-code']) {
        api.post(
          path,
          { schema: { body: SecondStep, response: { 200: AuthDone } } },
          async (request, reply) => {
            // A person who is already signed in uses the code to set up the second factor, not to
            // sign in.
            const signedIn = await findSession(auth, request, reply);
            if (signedIn) await settleSecondFactor(db, signedIn.userId);
            const isSigningIn = signedIn === undefined;
            const claimsCode = isSigningIn && path === '/two-factor/verify-totp';
            const claimCode = claimsCode ? passwordLimit.claimCode : undefined;
            const route = { body: SecondStep };
            const result = await callBetterAuth(services, request, reply, route, { claimCode });
            if (isSigningIn && result.userId) {
              await passwordLimit.uncountSecondStep(result.userId, devices.read(request));
              devices.remember(request, reply, result.userId);
            }
            return result.response;
          },
        );
      }

      for (const [path, route] of Object.entries(betterAuthRoutes)) {
        const { body, response = AuthDone, password, forgetsDevices } = route;
        api.post(
          path,
          { schema: { ...(body && { body }), response: { 200: response } } },
          async (request, reply) => {
            // Must come first, because some of these routes end the session.
            const signedIn = await findSession(auth, request, reply);
            const attempt =
              signedIn && password !== undefined
                ? await passwordLimit.countOwn(signedIn.userId, request.ip)
                : undefined;
            if (signedIn) await settleSecondFactor(db, signedIn.userId);
            const result = await callBetterAuth(services, request, reply, route);
            await attempt?.uncount();
            if (forgetsDevices && signedIn) await forgetDevices(db, signedIn.userId);
            return signedIn ? withEmail(result.response, signedIn.email) : result.response;
          },
        );
      }
    },
    { prefix: '/auth' },
  );
}

/**
 * Replaces the login in the URI for authenticator apps by the email, which better-auth does not
 * know.
 */
function withEmail(reply: AuthResponse, email: string): AuthResponse {
  const { totpURI } = reply.data;
  if (typeof totpURI !== 'string') return reply;
  const named = totpURI.replace(/^([^:]+:[^:]+:)[^?]*/, `$1${encodeURIComponent(email)}`);
  return { ...reply, data: { ...reply.data, totpURI: named } };
}
