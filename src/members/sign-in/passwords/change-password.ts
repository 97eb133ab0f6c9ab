import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/database.ts';
import { invalid } from '../../../platform/errors/api-error.ts';
import type { Vault } from '../../../platform/secrets/crypto.ts';
import { ChangePassword, passwordOfOther } from '../../dashboard-schema.ts';
import { listAccounts } from '../account-queries.ts';
import type { Auth } from '../auth.ts';
import { type AuthResponse, callBetterAuth, notYourPassword } from '../call-better-auth.ts';
import { forgetDevices } from '../sessions/end-sign-ins.ts';
import { findSession } from '../sessions/session.ts';
import type { PasswordLimit } from './limit-passwords.ts';
import { createSalts, passwordFunctions, saltOf, tryPassword, withSalt } from './passwords.ts';

const route = { body: ChangePassword, password: 'currentPassword' };

/**
 * Creates a handler that changes the password of the signed-in person. It may not be that of
 * another account with the same email, because a sign-in could not distinguish them. Such a refusal
 * reveals that password, so every change counts as an attempt, even a successful one.
 *
 * @throws ApiError 401, 422 on `currentPassword` or `newPassword`, 429
 */
export function createPasswordChanger(services: {
  db: Database;
  auth: Auth;
  config: Config;
  vault: Vault;
  passwordLimit: PasswordLimit;
}) {
  const { db, auth, vault, passwordLimit } = services;
  const saltFor = createSalts(vault);

  return async function changePassword(
    request: FastifyRequest<{ Body: { currentPassword: string; newPassword: string } }>,
    reply: FastifyReply,
  ): Promise<AuthResponse> {
    const signedIn = await findSession(auth, request, reply);
    if (!signedIn) return (await callBetterAuth(services, request, reply, route)).response;
    const { userId, email } = signedIn;
    const { currentPassword, newPassword } = request.body;
    await passwordLimit.countOwn(userId, request.ip);
    const accounts = await listAccounts(db, email);
    const own = accounts.find(({ id }) => id === userId)?.password ?? undefined;
    const others = accounts.flatMap(({ id, password }) => (id === userId ? [] : (password ?? [])));
    const isOf = await tryPassword(newPassword, [saltFor(email), ...others.map(saltOf)]);
    if (others.some(isOf)) {
      throw own && (await passwordFunctions.verify({ hash: own, password: currentPassword }))
        ? invalid({ newPassword: [passwordOfOther] })
        : invalid({ currentPassword: [notYourPassword] });
    }
    const result = await withSalt(saltFor(email), () =>
      callBetterAuth(services, request, reply, route),
    );
    await forgetDevices(db, userId);
    return result.response;
  };
}
