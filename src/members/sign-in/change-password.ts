import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { invalid } from '../../errors.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { Database } from '../../platform/database/database.ts';
import { ChangePassword } from '../dashboard-schema.ts';
import { forgetDevices, listAccounts } from './account-queries.ts';
import type { Auth } from './auth.ts';
import type { PasswordLimit } from './limit-passwords.ts';
import { type PassedOn, passOn } from './pass-on.ts';
import { createSalts, passwordFunctions, saltOf, tryPassword, withSalt } from './passwords.ts';
import { findSession } from './session.ts';

const passage = { body: ChangePassword, password: 'currentPassword' };

/**
 * Changes the password of who is signed in. It may not be that of another account of the same email: a
 * sign-in could not tell them apart. Because a refusal tells that password, each change uses up an
 * attempt, also one that succeeds.
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
  ): Promise<PassedOn> {
    const signedIn = await findSession(auth, request);
    if (!signedIn) return (await passOn(services, request, reply, passage)).reply;
    const { userId, email } = signedIn;
    const { currentPassword, newPassword } = request.body;
    await passwordLimit.countOwn(userId, request.ip);
    const accounts = await listAccounts(db, email);
    const own = accounts.find(({ id }) => id === userId)?.password ?? undefined;
    const others = accounts.flatMap(({ id, password }) => (id === userId ? [] : (password ?? [])));
    const isOf = await tryPassword(newPassword, [saltFor(email), ...others.map(saltOf)]);
    if (others.some(isOf)) {
      throw own && (await passwordFunctions.verify({ hash: own, password: currentPassword }))
        ? invalid({ newPassword: ['is that of another account of this email; choose another'] })
        : invalid({ currentPassword: ['is not your password'] });
    }
    const passed = await withSalt(saltFor(email), () => passOn(services, request, reply, passage));
    await forgetDevices(db, userId);
    return passed.reply;
  };
}
