import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { type Config, publicUrl } from '../../config.ts';
import { ApiError, invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { passwordRule } from '../dashboard-schema.ts';
import type { Auth } from './auth.ts';
import { clientAddressHeader, codeLockSeconds } from './auth-settings.ts';

/** A route that better-auth handles. */
export type AuthRoute = {
  /** The fields that are forwarded. better-auth acts on other fields too, such as redirect URLs. */
  body?: TObject;
  /** The schema of the response, without types: better-auth promises none. */
  response?: TSchema;
  /** The field with the person's password; attempts at it are limited. */
  password?: string;
  /**
   * If true, trusted devices need the second factor again, because the route is used to shut out
   * others.
   */
  forgetsDevices?: true;
};

export type AuthResponse = { success: true; data: Record<string, unknown> };

/**
 * Forwards a request to better-auth, and converts its response to the shape of our API. Its error
 * messages are for developers, so they are replaced by ours.
 *
 * @param given the body for better-auth, by default that of the request
 * @param claimCode records a code that signs in; if it returns false, the code was used before and
 *   is refused
 * @returns the response, and the id of the account
 * @throws ApiError 401, 403, 422, 429
 */
export async function callBetterAuth(
  { auth, config }: { auth: Auth; config: Config },
  request: FastifyRequest,
  reply: FastifyReply,
  { body: schema, password = 'password' }: AuthRoute,
  {
    given = (request.body ?? {}) as Record<string, unknown>,
    claimCode,
  }: {
    given?: Record<string, unknown>;
    claimCode?: ((userId: string, code: string) => Promise<boolean>) | undefined;
  } = {},
): Promise<{ response: AuthResponse; userId: string | undefined }> {
  const known = Object.keys(schema?.properties ?? {});
  const fields = Object.fromEntries(known.map((name) => [name, given[name]]));
  const { handler, $context } = await auth();
  const response = await handler(toWebRequest(request, config, fields));
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  // The session's secret belongs only in the cookie, and the dashboard fetches the person
  // separately.
  const { token, session: _, user, ...data } = body ?? {};
  const userId = (user as { id: string } | undefined)?.id;
  if (response.ok && claimCode && userId !== undefined) {
    if (!(await claimCode(userId, String(fields.code)))) {
      await (await $context).internalAdapter.deleteSession(String(token));
      throw new ApiError('unauthorized', {
        message: fault(
          'code_used',
          'This code has already been used. Sign in again with the next one.',
        ),
      });
    }
  }
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  if (!response.ok) throw refusal(response.status, body, password);
  return { response: { success: true, data }, userId };
}

/**
 * Converts a request for better-auth. The origin is already checked; better-auth compares it with
 * its own URL.
 */
function toWebRequest(request: FastifyRequest, config: Config, fields: object): Request {
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
    body: JSON.stringify(fields),
  });
}

export const notYourPassword = fault('not_your_password', 'is not your password');
export const signInFirst = fault('sign_in_first', 'Sign in first.');

/** The error for an unknown email and for a wrong password, so that nobody can tell which. */
export function wrongPassword(): ApiError {
  return new ApiError('unauthorized', {
    message: fault('wrong_password', 'Email or password is wrong.'),
  });
}

/** Converts an error of better-auth. A 401 always means that the sign-in must start over. */
function refusal(
  status: number,
  body: Record<string, unknown> | null,
  passwordField: string,
): ApiError {
  switch (body?.code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return wrongPassword();
    case 'INVALID_PASSWORD':
      return invalid({ [passwordField]: [notYourPassword] });
    // It counts UTF-16 units, and the schema characters. Only a change of the password sets one.
    case 'PASSWORD_TOO_SHORT':
    case 'PASSWORD_TOO_LONG':
      return invalid({ newPassword: [passwordRule.fault] });
    case 'INVALID_CODE':
      return invalid({
        code: [fault('wrong_code', 'is not the current code; a new one appears every 30 seconds')],
      });
    case 'INVALID_BACKUP_CODE':
      return invalid({
        code: [
          fault('wrong_backup_code', 'is not one of your backup codes, or has already been used'),
        ],
      });
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return new ApiError('unauthorized', {
        message: fault('too_many_codes', 'Too many wrong codes. Sign in again.'),
      });
    case 'INVALID_TWO_FACTOR_COOKIE':
      return new ApiError('unauthorized', {
        message: fault('sign_in_ended', 'This sign-in has ended. Sign in again.'),
      });
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return new ApiError('rate_limited', {
        message: fault(
          'codes_locked',
          'Too many wrong codes. Wait {minutes} min and sign in again.',
          { minutes: codeLockSeconds / 60 },
        ),
        retryAfterSeconds: codeLockSeconds,
      });
    case 'TOTP_ALREADY_ENABLED':
      return new ApiError('invalid', {
        message: fault('two_steps_on', 'Two-step sign-in is already on.'),
      });
    case 'TOTP_NOT_ENABLED':
    case 'BACKUP_CODES_NOT_ENABLED':
    case 'TWO_FACTOR_NOT_ENABLED':
      return new ApiError('invalid', {
        message: fault('two_steps_off', 'Two-step sign-in is not set up.'),
      });
  }
  if (status >= 500) return new ApiError('server_error', { cause: body });
  if (status === 401) return new ApiError('unauthorized', { message: signInFirst });
  if (status === 403)
    return new ApiError('forbidden', { message: fault('not_allowed', 'This is not allowed.') });
  return new ApiError('invalid', {
    message: fault('did_not_work', 'That did not work.'),
    cause: body,
  });
}
