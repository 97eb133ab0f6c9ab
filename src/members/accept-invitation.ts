import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { ApiError, invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { randomBase62, sha256, type Vault } from '../platform/secrets/crypto.ts';
import { trimName } from '../platform/values/texts/name.ts';
import { passwordOfOther, passwordRule } from './dashboard-schema.ts';
import {
  addMember,
  findInvitation,
  findMember,
  lockMembers,
  markInvitationUsed,
  type OpenInvitation,
} from './queries.ts';
import {
  clearSignIns,
  insertUser,
  listAccounts,
  lockAccounts,
  lockEmail,
  setPassword,
} from './sign-in/account-queries.ts';
import { createSalts, hashPassword, saltOf, tryPassword } from './sign-in/passwords/passwords.ts';

/**
 * The effect of the link: `join` makes the person a member, with a new or an existing account.
 * `reset` replaces the password of the account of an existing member.
 */
export type AcceptBy = 'join' | 'reset';

export type FoundInvitation = { invitation: OpenInvitation; acceptBy: AcceptBy };

/**
 * Reads an invitation without using it. The result reveals nothing about accounts outside its
 * tenant.
 *
 * @throws ApiError 404 if the link was used or replaced, has expired or never existed
 */
export async function readInvitation(
  { db }: { db: Database },
  secret: string,
): Promise<FoundInvitation> {
  const invitation = await findInvitation(db, sha256(secret));
  if (!invitation) throw linkNotValid();
  const member = await findMember(db, invitation.tenant_id, invitation.email);
  return { invitation, acceptBy: member && invitation.by_operator ? 'reset' : 'join' };
}

type Given = {
  name?: string | undefined;
  password: string;
  /** Whether the password is that of an existing account of the person. */
  hasAccount: boolean;
};

/**
 * Accepts an invitation: makes a person a member of the tenant.
 *
 * A link does not prove that the person owns the mailbox, because its creator sees the link too. So
 * an existing account with this email needs its password. With any other password, the person gets
 * an account of their own, so that an account that another person created with this email does not
 * block anyone. The operator's link for a member replaces the password, removes the second factor
 * and ends all sessions of that member's account.
 *
 * @throws ApiError 404 on a used link, 422 on `password` or `name`
 */
export async function acceptInvitation(
  { db, vault }: { db: Database; vault: Vault },
  { invitation, acceptBy }: FoundInvitation,
  given: Given,
): Promise<void> {
  const { password } = given;
  const setsPassword = acceptBy === 'reset' || !given.hasAccount;
  if (
    setsPassword &&
    (password.length < passwordRule.minLength || password.length > passwordRule.maxLength)
  ) {
    throw invalid({ password: [passwordRule.fault] });
  }
  // Outside the transaction, because hashing is slow by design.
  const attempt = await hashForEmail({ db, vault }, invitation.email, password);
  await db.transaction((tx) => joinTenant(tx, invitation, { ...given, ...attempt, acceptBy }));
}

type Attempt = { hash: string; isOf(hash: string | null): boolean };

/**
 * Hashes a password with the salt of the email, and with the salts of its existing accounts. Takes
 * the same time whether or not the email has an account.
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
 * Makes the person a member, in one transaction with account, password and the used link, so that
 * the link still works after a failure. (better-auth's own functions would use other connections.)
 */
async function joinTenant(
  tx: Db,
  invitation: OpenInvitation,
  given: Given & Attempt & { acceptBy: AcceptBy },
): Promise<void> {
  const { email, tenant_id: tenantId, role } = invitation;
  await lockEmail(tx, email);
  // Before the invitation, as a change of a member does.
  await lockMembers(tx, tenantId);
  // If the link is used twice at once, only one may set the password.
  if (!(await markInvitationUsed(tx, invitation))) throw linkNotValid();
  const member = await findMember(tx, tenantId, email);
  const isReset = member !== undefined && given.acceptBy === 'reset';
  const userId = isReset
    ? await resetAccount(tx, email, member.user_id, given)
    : await findOrCreateAccount(tx, email, member?.user_id, given);
  await addMember(tx, tenantId, userId, role);
  await recordAudit(tx, tenantId, {
    action: isReset ? 'member.reset' : 'member.joined',
    subject: { id: userId, name: email },
    changes: [{ field: 'role', after: role }],
    actor: { kind: 'member', id: userId },
  });
}

async function resetAccount(
  tx: Db,
  email: string,
  userId: string,
  { hash, isOf }: Attempt,
): Promise<string> {
  const others = (await listAccounts(tx, email)).filter(({ id }) => id !== userId);
  // A sign-in could not distinguish the two accounts.
  if (others.some(({ password }) => isOf(password))) {
    throw invalid({ password: [passwordOfOther] });
  }
  await setPassword(tx, userId, { id: randomBase62(32), hash });
  await clearSignIns(tx, userId);
  return userId;
}

/**
 * Finds the account of the email with this password, or creates one.
 *
 * @param memberId the account with this email that is already a member: no other account may become
 *   one
 */
async function findOrCreateAccount(
  tx: Db,
  email: string,
  memberId: string | undefined,
  { hasAccount, name, hash, isOf }: Given & Attempt,
): Promise<string> {
  const matching = (await lockAccounts(tx, email)).find(
    ({ id, password }) => isOf(password) && (memberId === undefined || id === memberId),
  );
  if (matching) return matching.id;
  if (hasAccount || memberId !== undefined) {
    throw invalid({
      password: [
        fault('password_of_no_account', 'is not the password of an account with this email'),
      ],
    });
  }
  const id = randomBase62(32);
  await insertUser(tx, { id, email, name: trimName(name ?? '') || nameFrom(email) });
  await setPassword(tx, id, { id: randomBase62(32), hash });
  return id;
}

function nameFrom(email: string): string {
  return email.split('@')[0] ?? email;
}

function linkNotValid(): ApiError {
  return new ApiError('not_found', {
    message: fault(
      'link_not_valid',
      'This link has already been used or has expired. Ask the sender for a new one, or sign in.',
    ),
  });
}
