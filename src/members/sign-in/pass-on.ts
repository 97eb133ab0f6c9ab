import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { type Config, publicUrl } from '../../config.ts';
import { ApiError, invalid } from '../../errors.ts';
import { type Auth, clientAddressHeader, codeLockSeconds } from './auth.ts';

/** A request that better-auth answers. */
export type Passage = {
  /** What of the body it gets: it acts on other fields too, such as addresses to redirect to. */
  body?: TObject;
  /** The field with the person's password, which could be guessed. */
  password?: string;
  /** Whoever does this shuts others out, so devices that skip the second factor skip it no more. */
  forgetsDevices?: true;
};

export type PassedOn = { success: true; data: Record<string, unknown> };

/**
 * Has better-auth do what a path asks for, and gives its answer in the API's shape. What it says of
 * a refusal is for programmers; a person reads words of ours.
 *
 * @param given what it gets in place of the body of the request
 * @param takeCode records that a code signs in; false when it did before, and then it does not again
 * @returns the reply, and whose account better-auth answered for
 * @throws ApiError 401, 403, 422, 429
 */
export async function passOn(
  { auth, config }: { auth: Auth; config: Config },
  request: FastifyRequest,
  reply: FastifyReply,
  { body: schema, password = 'password' }: Passage,
  {
    given = (request.body ?? {}) as Record<string, unknown>,
    takeCode,
  }: {
    given?: Record<string, unknown>;
    takeCode?: ((userId: string, code: string) => Promise<boolean>) | undefined;
  } = {},
): Promise<{ reply: PassedOn; userId: string | undefined }> {
  const known = Object.keys(schema?.properties ?? {});
  const fields = Object.fromEntries(known.map((name) => [name, given[name]]));
  const answer = await auth.handler(toWebRequest(request, config, fields));
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null;
  // The session's secret belongs in the cookie alone; the dashboard asks for the person by itself.
  const { token, session: _, user, ...data } = body ?? {};
  const userId = (user as { id: string } | undefined)?.id;
  if (answer.ok && takeCode && userId !== undefined) {
    if (!(await takeCode(userId, String(fields.code)))) {
      await (await auth.$context).internalAdapter.deleteSession(String(token));
      throw new ApiError('unauthorized', {
        message: 'This code was used already. Sign in again with the next one.',
      });
    }
  }
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie);
  if (!answer.ok) throw refusal(answer.status, body, password);
  return { reply: { success: true, data }, userId };
}

/** The origin was checked already; better-auth checks it again, against the address it knows. */
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

/** The same whether the email has no account or another password. */
export function wrongPassword(): ApiError {
  return new ApiError('unauthorized', { message: 'Email or password is wrong.' });
}

/** 401 always means: sign in, from the start. */
function refusal(
  status: number,
  body: Record<string, unknown> | null,
  passwordField: string,
): ApiError {
  switch (body?.code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return wrongPassword();
    case 'INVALID_PASSWORD':
      return invalid({ [passwordField]: ['is not your password'] });
    case 'INVALID_CODE':
      return invalid({
        code: ['is not the code of this moment; a new one comes every 30 seconds'],
      });
    case 'INVALID_BACKUP_CODE':
      return invalid({ code: ['is none of your backup codes, or was used already'] });
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return new ApiError('unauthorized', { message: 'Too many wrong codes. Sign in again.' });
    case 'INVALID_TWO_FACTOR_COOKIE':
      return new ApiError('unauthorized', { message: 'This sign-in has ended. Sign in again.' });
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return new ApiError('rate_limited', {
        message: `Too many wrong codes. Wait ${codeLockSeconds / 60} min and sign in again.`,
        retryAfterSeconds: codeLockSeconds,
      });
    case 'TOTP_ALREADY_ENABLED':
      return new ApiError('invalid', { message: 'Two-step sign-in is on already.' });
    case 'TOTP_NOT_ENABLED':
    case 'BACKUP_CODES_NOT_ENABLED':
    case 'TWO_FACTOR_NOT_ENABLED':
      return new ApiError('invalid', { message: 'Two-step sign-in is not set up.' });
  }
  if (status >= 500) return new ApiError('server_error', { cause: body });
  if (status === 401) return new ApiError('unauthorized', { message: 'Sign in first.' });
  if (status === 403) return new ApiError('forbidden', { message: 'This is not allowed.' });
  return new ApiError('invalid', { message: 'That did not work.', cause: body });
}
