import type { FastifyRequest } from 'fastify';
import { tooBusy } from '../../platform/errors/api-error.ts';
import type { Auth } from './auth.ts';

export type SignedIn = {
  userId: string;
  email: string;
  name: string;
  twoFactor: boolean;
};

/** Looks up the person who is signed in by the request's cookie; undefined if nobody is. */
export async function findSession(
  auth: Auth,
  request: FastifyRequest,
): Promise<SignedIn | undefined> {
  const found = await sessionOf(auth, request);
  if (!found) return undefined;
  const { id, address, name, twoFactorEnabled } = found.user;
  return { userId: id, email: address, name, twoFactor: twoFactorEnabled === true };
}

/**
 * Ends the session of the request's cookie. (better-auth's own sign-out reports success even if it
 * fails.)
 */
export async function endSession(auth: Auth, request: FastifyRequest): Promise<void> {
  const found = await sessionOf(auth, request);
  if (!found) return;
  const { internalAdapter } = await (await auth()).$context;
  await internalAdapter.deleteSession(found.session.token);
}

async function sessionOf(auth: Auth, { headers: { cookie } }: FastifyRequest) {
  if (!cookie) return null;
  const { api } = await auth();
  // better-auth logs a failed query and throws an error of its own.
  return await api.getSession({ headers: new Headers({ cookie }) }).catch((error) => {
    throw tooBusy(error);
  });
}
