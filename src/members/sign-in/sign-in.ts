import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { SignIn } from '../dashboard-schema.ts';
import { isEmail } from '../email.ts';
import {
  type AccountRow,
  listAccounts,
  replaceHash,
  settleSecondFactor,
} from './account-queries.ts';
import type { Auth } from './auth.ts';
import { type AuthResponse, callBetterAuth, wrongPassword } from './call-better-auth.ts';
import { joinAccounts } from './join-accounts.ts';
import type { KnownDevices } from './passwords/known-devices.ts';
import type { PasswordLimit } from './passwords/limit-passwords.ts';
import {
  createSalts,
  hashPassword,
  saltOf,
  tryPassword,
  withVerified,
} from './passwords/passwords.ts';

/**
 * Creates a handler that signs in with email and password, to the account with this email that has
 * the password; several that have it become one. If the account has a second factor, its code is needed next.
 *
 * Accounts that have signed in on this device before can sign in even if strangers have used up the
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
  ): Promise<AuthResponse> {
    const email = request.body.email.trim().toLowerCase();
    const { password } = request.body;
    const accounts = isEmail(email) ? await listAccounts(db, email) : [];
    const device = devices.read(request);
    const known = accounts.filter(({ id }) => device?.accounts.includes(id));
    const deviceId = known.length > 0 ? device?.id : undefined;
    const attempt = await passwordLimit.countSignIn(email, request.ip, deviceId);

    const found = await findByPassword(attempt.isOnlyForKnown ? known : accounts);
    const account = found.length > 1 ? await joinAccounts(db, email, found) : found[0];
    if (!account?.password) throw wrongPassword();
    await settleSecondFactor(db, account.id);
    const secondStep = account.two_factor
      ? await passwordLimit.countSecondStep(account.id, device)
      : undefined;
    const hash = account.password;
    const given = { email: account.login, password };
    const result = await withVerified({ hash, password }, () =>
      callBetterAuth(services, request, reply, { body: SignIn }, { given }),
    );
    await attempt.uncount();
    await renewHash(account.id, hash);
    if (result.response.data.twoFactorRedirect !== true) {
      await secondStep?.uncount();
      devices.remember(request, reply, account.id);
    }
    return result.response;

    async function findByPassword(candidates: AccountRow[]): Promise<AccountRow[]> {
      const salts = candidates.flatMap(({ password: hash }) => (hash ? saltOf(hash) : []));
      // Takes the same time if there is no account.
      const isOf = await tryPassword(password, salts.length > 0 ? salts : [saltFor(email)]);
      return candidates.filter(({ password: hash }) => isOf(hash));
    }

    /** Renews a hash from before all accounts with an email had the same salt. */
    async function renewHash(id: string, hash: string): Promise<void> {
      if (saltOf(hash) === saltFor(email)) return;
      await replaceHash(db, id, hash, await hashPassword(password, saltFor(email)));
    }
  };
}
