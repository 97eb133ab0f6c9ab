import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { Database } from '../../platform/database/database.ts';
import { SignIn } from '../dashboard-schema.ts';
import { isEmail } from '../email.ts';
import { type AccountRow, listAccounts, replaceHash } from './account-queries.ts';
import type { Auth } from './auth.ts';
import type { KnownDevices } from './known-devices.ts';
import type { PasswordLimit } from './limit-passwords.ts';
import { type PassedOn, passOn, wrongPassword } from './pass-on.ts';
import { createSalts, hashPassword, saltOf, tryPassword, withVerified } from './passwords.ts';

/**
 * Signs in by email and password: in the account of this email that has the password. An account
 * with a second factor asks for its code next.
 *
 * Accounts that signed in on this device before are tried also while strangers have used up the
 * attempts on the email.
 *
 * @throws ApiError 401, 429
 */
export function createSignIn(services: {
  db: Database;
  auth: Auth;
  config: Config;
  vault: Vault;
  passwordLimit: PasswordLimit;
  devices: KnownDevices;
}) {
  const { db, vault, passwordLimit, devices } = services;
  const saltFor = createSalts(vault);

  return async function signIn(
    request: FastifyRequest<{ Body: { email: string; password: string } }>,
    reply: FastifyReply,
  ): Promise<PassedOn> {
    const email = request.body.email.trim().toLowerCase();
    const { password } = request.body;
    const accounts = isEmail(email) ? await listAccounts(db, email) : [];
    const device = devices.read(request);
    const known = accounts.filter(({ id }) => device?.accounts.includes(id));
    const deviceId = known.length > 0 ? device?.id : undefined;
    const attempt = await passwordLimit.countSignIn(email, request.ip, deviceId);

    const account = await findByPassword(attempt.isOnlyForKnown ? known : accounts);
    if (!account?.password) throw wrongPassword();
    const hash = account.password;
    const given = { email: account.login, password };
    const passed = await withVerified({ hash, password }, () =>
      passOn(services, request, reply, { body: SignIn }, { given }),
    );
    await attempt.takeBack();
    await renewHash(account.id, hash);
    if (passed.reply.data.twoFactorRedirect !== true) devices.remember(request, reply, account.id);
    return passed.reply;

    async function findByPassword(candidates: AccountRow[]): Promise<AccountRow | undefined> {
      const salts = candidates.flatMap(({ password: hash }) => (hash ? saltOf(hash) : []));
      // As long as for an account, also when there is none.
      const isOf = await tryPassword(password, salts.length > 0 ? salts : [saltFor(email)]);
      return candidates.find(({ password: hash }) => isOf(hash));
    }

    /** A hash of before accounts of one email had one salt. */
    async function renewHash(id: string, hash: string): Promise<void> {
      if (saltOf(hash) === saltFor(email)) return;
      await replaceHash(db, id, hash, await hashPassword(password, saltFor(email)));
    }
  };
}
