import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooBusy } from '../../../platform/errors/api-error.ts';
import type { Auth } from '../auth.ts';

export type SignedIn = {
  userId: string;
  email: string;
  name: string;
  twoFactor: boolean;
};

/**
 * Looks up the person who is signed in by the request's cookie; undefined if nobody is. Once a day, the session is
 * extended, and the response renews its cookie.
 */
export async function findSession(
  auth: Auth,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | undefined> {
  const { response: found, headers } = await sessionOf(auth, request);
  if (!found) return undefined;
  for (const cookie of headers?.getSetCookie() ?? []) reply.header('set-cookie', cookie);
  const { id, address, name, twoFactorEnabled } = found.user;
  return { userId: id, email: address, name, twoFactor: twoFactorEnabled === true };
}

/**
 * Ends the session of the request's cookie. (better-auth's own sign-out reports success even if it
 * fails.)
 */
export async function endSession(auth: Auth, request: FastifyRequest): Promise<void> {
  const { response: found } = await sessionOf(auth, request);
  if (!found) return;
  const { internalAdapter } = await (await auth()).$context;
  await internalAdapter.deleteSession(found.session.token);
}

const nobody = { response: null, headers: undefined };

async function sessionOf(auth: Auth, { headers: { cookie } }: FastifyRequest) {
  if (!cookie) return nobody;
  const { api } = await auth();
  const given = { headers: new Headers({ cookie }), returnHeaders: true } as const;
  return await api.getSession(given).catch((error) => {
    // The session was ended while it was extended.
    if (error.statusCode === 401) return nobody;
    // better-auth logs a failed query and throws an error of its own.
    throw tooBusy(error);
  });
}
