import type { FastifyRequest } from 'fastify';
import type { Auth } from './auth.ts';

export type SignedIn = {
  userId: string;
  email: string;
  name: string;
  twoFactor: boolean;
};

/** Who is signed in by the request's cookie, looked up now; undefined when nobody is. */
export async function findSession(
  auth: Auth,
  request: FastifyRequest,
): Promise<SignedIn | undefined> {
  const { cookie } = request.headers;
  if (!cookie) return undefined;
  const found = await auth.api.getSession({ headers: new Headers({ cookie }) });
  if (!found) return undefined;
  const { id, email, name, twoFactorEnabled } = found.user;
  return { userId: id, email, name, twoFactor: twoFactorEnabled === true };
}
