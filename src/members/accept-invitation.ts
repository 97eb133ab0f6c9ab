import { ApiError, invalid } from '../errors.ts';
import { randomBase62, sha256 } from '../platform/crypto.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { trimName } from '../platform/name.ts';
import { passwordRule } from './dashboard-schema.ts';
import { addMember, findInvitation, type OpenInvitation, takeInvitation } from './queries.ts';
import {
  clearSignIns,
  hasAccount,
  insertUser,
  lockUserByEmail,
  setPassword,
} from './sign-in/account-queries.ts';
import type { Auth } from './sign-in/auth.ts';

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
  if (!(await hasAccount(db, invitation.email))) return { invitation, acceptBy: 'create' };
  return { invitation, acceptBy: invitation.by_operator ? 'reset' : 'confirm' };
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
  services: { db: Database; auth: Auth },
  given: { secret: string; name?: string; password: string },
): Promise<OpenInvitation> {
  const { db, auth } = services;
  const { password } = given;
  const { invitation, acceptBy } = await readInvitation({ db }, given.secret);
  const { email } = invitation;
  if (acceptBy === 'confirm') {
    if (!(await isPasswordOf(auth, email, password))) {
      throw invalid({ password: ['is not the password of this account'] });
    }
  } else if (password.length < passwordRule.shortest || password.length > passwordRule.longest) {
    throw invalid({ password: [passwordRule.words] });
  }
  const person: Person = {
    acceptBy,
    name: trimName(given.name ?? '') || nameFrom(email),
    // Before the transaction: it takes long, on purpose.
    hash: acceptBy === 'confirm' ? undefined : await (await auth.$context).password.hash(password),
  };
  const isIn = await db.transaction((tx) => letIn(tx, invitation, person));
  // Meanwhile another invitation made the account, whose password counts now.
  return isIn ? invitation : acceptInvitation(services, given);
}

type Person = { acceptBy: AcceptBy; name: string; hash: string | undefined };

/**
 * Account, password, membership and the used link are one: whatever fails, the link works again.
 * (better-auth's own functions would write on connections of their own.)
 *
 * @returns false when there is an account where there was none, or the other way round
 */
async function letIn(
  tx: Db,
  invitation: OpenInvitation,
  { acceptBy, name, hash }: Person,
): Promise<boolean> {
  const { email, tenant_id: tenantId, role } = invitation;
  const user =
    acceptBy === 'create'
      ? await insertUser(tx, { id: randomBase62(32), email, name })
      : await lockUserByEmail(tx, email);
  if (!user) return false;
  // Of two who follow the link at once only one may set the password.
  if (!(await takeInvitation(tx, invitation))) throw usedUp();
  if (hash !== undefined) await setPassword(tx, user.id, { id: randomBase62(32), hash });
  if (acceptBy === 'reset') await clearSignIns(tx, user.id);
  await addMember(tx, tenantId, user.id, role);
  return true;
}

async function isPasswordOf(auth: Auth, email: string, password: string): Promise<boolean> {
  const { internalAdapter, password: hasher } = await auth.$context;
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
  const hash = found?.accounts.find((account) => account.providerId === 'credential')?.password;
  return hash ? hasher.verify({ hash, password }) : false;
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
