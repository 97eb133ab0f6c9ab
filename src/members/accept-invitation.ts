import { ApiError, invalid, notFound } from '../errors.ts';
import { sha256 } from '../platform/crypto.ts';
import type { Database } from '../platform/database.ts';
import type { Auth } from './auth.ts';
import { passwordRule } from './dashboard-schema.ts';
import {
  clearSignIns,
  findInvitation,
  findUserByEmail,
  type OpenInvitation,
  takeInvitation,
  upsertMember,
} from './queries.ts';

/**
 * What the person behind the link does: `create` an account, `confirm` theirs with its password,
 * or `reset` it with a new one.
 */
export type AcceptBy = 'create' | 'confirm' | 'reset';

/**
 * Reads an invitation without using it.
 *
 * @throws ApiError 404 when the link was used, replaced, has expired or never was
 */
export async function readInvitation(
  { db }: { db: Database },
  secret: string,
): Promise<{ invitation: OpenInvitation; acceptBy: AcceptBy }> {
  const invitation = await findInvitation(db, sha256(secret));
  if (!invitation) throw usedUp();
  const user = await findUserByEmail(db, invitation.email);
  const acceptBy = !user ? 'create' : invitation.by_operator ? 'reset' : 'confirm';
  return { invitation, acceptBy };
}

/**
 * Uses an invitation: makes the account where there is none, and the person a member.
 *
 * An account that exists is never handed to whoever holds a tenant's link: its password must be
 * right. The operator's link replaces password and second factor and ends all sessions.
 *
 * @throws ApiError 404 on a used link, 422 on `password` or `name`
 */
export async function acceptInvitation(
  { db, auth }: { db: Database; auth: Auth },
  { secret, name, password }: { secret: string; name?: string; password: string },
): Promise<OpenInvitation> {
  const { invitation, acceptBy } = await readInvitation({ db }, secret);
  if (acceptBy === 'confirm') {
    if (!(await isPasswordOf(auth, invitation.email, password))) {
      throw invalid({ password: ['is not the password of this account'] });
    }
  } else if (password.length < passwordRule.shortest || password.length > passwordRule.longest) {
    throw invalid({ password: [passwordRule.words] });
  }
  // Used first: of two who follow the link at once only one may set the password.
  if (!(await takeInvitation(db, invitation))) throw usedUp();
  const userId =
    acceptBy === 'create'
      ? await createUser(
          auth,
          invitation.email,
          name?.trim() || nameFrom(invitation.email),
          password,
        )
      : (await findUserByEmail(db, invitation.email))?.id;
  if (!userId) throw notFound();
  if (acceptBy === 'reset') {
    const context = await auth.$context;
    await context.internalAdapter.updatePassword(userId, await context.password.hash(password));
    await clearSignIns(db, userId);
  }
  await upsertMember(db, invitation.tenant_id, userId, invitation.role);
  return invitation;
}

async function isPasswordOf(auth: Auth, email: string, password: string): Promise<boolean> {
  const { internalAdapter, password: hasher } = await auth.$context;
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
  const hash = found?.accounts.find((account) => account.providerId === 'credential')?.password;
  return hash ? hasher.verify({ hash, password }) : false;
}

async function createUser(
  auth: Auth,
  email: string,
  name: string,
  password: string,
): Promise<string> {
  const { internalAdapter, password: hasher } = await auth.$context;
  const hash = await hasher.hash(password);
  const user = await internalAdapter.createUser(
    { email, name, emailVerified: true },
    { method: 'admin' },
  );
  await internalAdapter.linkAccount({
    userId: user.id,
    providerId: 'credential',
    accountId: user.id,
    password: hash,
  });
  return user.id;
}

function nameFrom(email: string): string {
  return email.split('@')[0] ?? email;
}

function usedUp(): ApiError {
  return new ApiError('not_found', {
    message:
      'This link was used already or has expired. Ask whoever sent it for a new one, or sign in.',
  });
}
