import { createHmac, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { addMember } from '../../src/members/queries.ts';
import { insertUser, setPassword } from '../../src/members/sign-in/account-queries.ts';
import { hashPassword, passwordCost } from '../../src/members/sign-in/passwords/passwords.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Services } from '../../src/services.ts';

/** By their password and cost. Computed once in a process, because it takes a tenth of a second of CPU by design. */
const passwordHashes = new Map<string, Promise<string>>();

/** @returns the id of the account */
export async function insertMember(
  db: Database,
  tenantId: number,
  role: 'owner' | 'staff',
  { email, name, password }: { email: string; name: string; password: string },
): Promise<string> {
  const key = `${passwordCost.N} ${password}`;
  const hash = await (passwordHashes.get(key) ?? hashPassword(password, randomId()));
  passwordHashes.set(key, Promise.resolve(hash));
  const id = randomId();
  await db.transaction(async (tx) => {
    await insertUser(tx, { id, email, name });
    await setPassword(tx, id, { id: randomId(), hash });
    await addMember(tx, tenantId, id, role);
  });
  return id;
}

/** @returns the cookie of a new session, signed as better-auth signs it. Its token is stored as a hash */
export async function insertSession(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  userId: string,
): Promise<string> {
  const token = randomId();
  await db.query(sql`
    insert into auth."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values (${randomId()}, encode(sha256(${token}::bytea), 'hex'), ${userId}, now() + interval '30 days', now())`);
  const secret = vault.derive('dashboard sessions');
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `__Secure-parley.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

function randomId(): string {
  return randomBytes(16).toString('hex');
}
