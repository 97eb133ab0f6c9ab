import { betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { type Config, publicUrl } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { passwordRule } from '../dashboard-schema.ts';
import { acceptOtherKeys } from './accept-other-keys.ts';
import { clientAddressHeader, codeLockSeconds } from './auth-settings.ts';
import { passwordFunctions } from './passwords/passwords.ts';
import { authKeyPurpose } from './second-factor.ts';
import { hashSessionTokens } from './sessions/hash-session-tokens.ts';

/**
 * Sets up better-auth, which stores users, passwords, sessions and second factors in a schema of
 * its own. The members of tenants are in our table `members`.
 *
 * There is no sign-up: accounts are created by invitations. Sessions are looked up for each
 * request, so that signing out takes effect immediately.
 */
export function openBetterAuth(services: { db: Database; config: Config; vault: Vault; log: Log }) {
  const { db, config, vault, log } = services;
  return betterAuth({
    appName: 'Parley',
    baseURL: publicUrl(config),
    basePath: '/auth',
    secret: vault.derive(authKeyPurpose),
    database: db.schemaPool('auth'),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordRule.minLength,
      maxPasswordLength: passwordRule.maxLength,
      revokeSessionsOnPasswordReset: true,
      password: passwordFunctions,
    },
    user: {
      // Several accounts can have the same email; better-auth finds each by a login of its own.
      fields: { email: 'login' },
      additionalFields: { address: { type: 'string', input: false, fieldName: 'email' } },
    },
    session: { expiresIn: 30 * 86_400, updateAge: 86_400 },
    // The token with which a trusted device skips the second factor is stored as a hash too.
    verification: { storeIdentifier: 'hashed' },
    // Attempts are limited by our own count, which is shared by all processes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'parley',
      useSecureCookies: true,
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true, secure: true },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    logger: {
      log: (level, message, ...details) => {
        if (level === 'error') log.error({ details }, message);
        else if (level === 'warn') log.warn({ details }, message);
      },
    },
    plugins: [
      hashSessionTokens(),
      acceptOtherKeys({ db, vault }),
      twoFactor({ issuer: 'Parley', accountLockout: { durationSeconds: codeLockSeconds } }),
    ],
  });
}
