import { ApiError, invalid } from '../errors.ts';
import { randomBase62, sha256, type Vault } from '../platform/crypto.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { trimName } from '../platform/name.ts';
import { passwordRule } from './dashboard-schema.ts';
import {
  addMember,
  findInvitation,
  findMember,
  type OpenInvitation,
  takeInvitation,
} from './queries.ts';
import {
  clearSignIns,
  deleteUnusedAccounts,
  insertUser,
  listAccounts,
  lockEmail,
  setPassword,
} from './sign-in/account-queries.ts';
import { createSalts, hashPassword, saltOf, tryPassword } from './sign-in/passwords.ts';

/**
 * What the person behind the link does: `join` the tenant, by an account that they have or by a new
 * one, or `reset` the password of the account by which they are a member already.
 */
export type AcceptBy = 'join' | 'reset';

/**
 * Reads an invitation without using it. It says nothing of accounts that are not in its tenant.
 *
 * @throws ApiError 404 when the link was used, replaced, has expired or never was
 */
export async function readInvitation(
  { db }: { db: Database },
  secret: string,
): Promise<{ invitation: OpenInvitation; acceptBy: AcceptBy }> {
  const invitation = await findInvitation(db, sha256(secret));
  if (!invitation) throw usedUp();
  const member = await findMember(db, invitation.tenant_id, invitation.email);
  return { invitation, acceptBy: member && invitation.by_operator ? 'reset' : 'join' };
}

type Given = {
  secret: string;
  name?: string | undefined;
  password: string;
  /** Whether the password must be that of an account that the person has. */
  hasAccount: boolean;
};

/**
 * Uses an invitation: makes a person a member of the tenant.
 *
 * A link proves nothing about the mailbox: whoever made it sees it too. So it opens no account of the
 * email but by its password, and an account that somebody else has made with this email is in nobody's
 * way: with any other password, the person gets an account of their own. The operator's link for a
 * member replaces the password, removes the second factor and ends all sessions of that member's
 * account.
 *
 * @throws ApiError 404 on a used link, 422 on `password` or `name`
 */
export async function acceptInvitation(
  { db, vault }: { db: Database; vault: Vault },
  given: Given,
): Promise<OpenInvitation> {
  const { invitation, acceptBy } = await readInvitation({ db }, given.secret);
  const { password } = given;
  const setsPassword = acceptBy === 'reset' || !given.hasAccount;
  if (
    setsPassword &&
    (password.length < passwordRule.shortest || password.length > passwordRule.longest)
  ) {
    throw invalid({ password: [passwordRule.words] });
  }
  // Before the transaction: it takes long, on purpose.
  const attempt = await hashForEmail({ db, vault }, invitation.email, password);
  await db.transaction((tx) => letIn(tx, invitation, { ...given, ...attempt, acceptBy }));
  return invitation;
}

type Attempt = { hash: string; isOf(hash: string | null): boolean };

/**
 * Hashes a password as a new one of the email, and for each salt that its accounts have. It takes
 * equally long for an email without an account as for one with an account, old or new.
 */
async function hashForEmail(
  { db, vault }: { db: Database; vault: Vault },
  email: string,
  password: string,
): Promise<Attempt> {
  const salt = createSalts(vault)(email);
  const accounts = await listAccounts(db, email);
  const salts = accounts.flatMap(({ password: hash }) => (hash ? saltOf(hash) : []));
  const older = salts.filter((each) => each !== salt);
  const [hash, isOfOlder] = await Promise.all([
    hashPassword(password, salt),
    tryPassword(password, older.length > 0 ? older : ['']),
  ]);
  return { hash, isOf: (stored) => stored === hash || isOfOlder(stored) };
}

/**
 * Account, password, membership and the used link are one: whatever fails, the link works again.
 * (better-auth's own functions would write on connections of their own.)
 */
async function letIn(
  tx: Db,
  invitation: OpenInvitation,
  given: Given & Attempt & { acceptBy: AcceptBy },
): Promise<void> {
  const { email, tenant_id: tenantId, role } = invitation;
  await lockEmail(tx, email);
  // Of two who follow the link at once only one may set the password.
  if (!(await takeInvitation(tx, invitation))) throw usedUp();
  const member = await findMember(tx, tenantId, email);
  const userId =
    member && given.acceptBy === 'reset'
      ? await resetAccount(tx, email, member.user_id, given)
      : await findOrMakeAccount(tx, email, member?.user_id, given);
  await addMember(tx, tenantId, userId, role);
}

async function resetAccount(
  tx: Db,
  email: string,
  userId: string,
  { hash, isOf }: Attempt,
): Promise<string> {
  const others = (await listAccounts(tx, email)).filter(({ id }) => id !== userId);
  // A sign-in could not tell the two apart.
  if (others.some(({ password }) => isOf(password))) {
    throw invalid({ password: ['is that of another account of this email; choose another'] });
  }
  await setPassword(tx, userId, { id: randomBase62(32), hash });
  await clearSignIns(tx, userId);
  return userId;
}

/** @param memberId the account by which a person of this email is a member already: no other may be */
async function findOrMakeAccount(
  tx: Db,
  email: string,
  memberId: string | undefined,
  { hasAccount, name, hash, isOf }: Given & Attempt,
): Promise<string> {
  const matching = (await listAccounts(tx, email)).find(
    ({ id, password }) => isOf(password) && (memberId === undefined || id === memberId),
  );
  if (matching) return matching.id;
  if (hasAccount || memberId !== undefined) {
    throw invalid({ password: ['is not the password of an account with this email'] });
  }
  // Otherwise, inviting and removing again and again would leave accounts without number.
  await deleteUnusedAccounts(tx, email);
  const id = randomBase62(32);
  await insertUser(tx, { id, email, name: trimName(name ?? '') || nameFrom(email) });
  await setPassword(tx, id, { id: randomBase62(32), hash });
  return id;
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
