import type pg from 'pg';
import { deleteUnusedAccount } from '../../members/sign-in/delete-unused-account.ts';
import { openSecondFactor, sealSecondFactor } from '../../members/sign-in/second-factor.ts';
import { endSignIns } from '../../members/sign-in/sessions/end-sign-ins.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { Account } from '../format.ts';
import { describeTables } from '../tables/describe-tables.ts';

/** Reads the accounts of a tenant's members, with their second factors in clear text. */
export async function readAccounts(
  client: pg.ClientBase,
  vault: Vault,
  tenantId: number,
): Promise<Account[]> {
  const { rows: accounts } = await client.query<Account>(
    `select to_jsonb(u) as user,
            array(select to_jsonb(a) from auth.account a where a."userId" = u."id") as account,
            array(select to_jsonb(f) from auth."twoFactor" f where f."userId" = u."id") as "twoFactor"
     from auth."user" u
     where u."id" in (select user_id from members where tenant_id = $1)
     order by u."id"`,
    [tenantId],
  );
  for (const factor of accounts.flatMap(({ twoFactor }) => twoFactor)) {
    factor.secret = await openSecondFactor(vault, factor.secret);
    factor.backupCodes = await openSecondFactor(vault, factor.backupCodes);
  }
  return accounts;
}

/**
 * Adds the accounts that this installation does not have. An account is the same one if its random id is the same. An
 * email proves nothing, so an account of a stranger with the same email gets no access to the tenant. An account
 * that was left behind without a tenant is replaced, because its password and second factor are those of an earlier
 * time.
 *
 * @returns the emails of the accounts that were here already
 */
export async function writeAccounts(
  client: pg.ClientBase,
  vault: Vault,
  accounts: Account[],
): Promise<string[]> {
  const insert = await createInsert(client);
  const known: string[] = [];
  for (const { user, account, twoFactor } of accounts) {
    await deleteUnusedAccount(client, user.id);
    if (!(await insert('auth."user"', user))) {
      known.push(String(user.email));
      continue;
    }
    // A file could name another user in its rows.
    const userId = user.id;
    for (const row of account) await insert('auth.account', { ...row, userId });
    for (const row of twoFactor) {
      await insert('auth."twoFactor"', { ...(await sealed(vault, row)), userId });
    }
  }
  return known;
}

/**
 * Brings accounts that are here already up to date with those of another cell of the same operator: a later password
 * replaces the one here, and a second factor is added if there is none. Sessions with the earlier ones end.
 */
export async function renewAccounts(
  client: pg.ClientBase,
  vault: Vault,
  accounts: Account[],
): Promise<void> {
  const insert = await createInsert(client);
  for (const { user, account, twoFactor } of accounts) {
    const replaced = await client.query(
      `update auth.account known set "password" = later."password", "updatedAt" = later."updatedAt"
       from jsonb_populate_recordset(null::auth.account, $2) later
       where known."userId" = $1 and known."providerId" = 'credential' and later."providerId" = 'credential'
         and later."updatedAt" > known."updatedAt" and later."password" is distinct from known."password"`,
      [user.id, JSON.stringify(account)],
    );
    const switchedOn = await client.query(
      `update auth."user" set "twoFactorEnabled" = true
       where "id" = $1 and "twoFactorEnabled" is not true and $2`,
      [user.id, user.twoFactorEnabled === true],
    );
    if (switchedOn.rowCount === 1) {
      // One that was begun here and never switched on.
      await client.query(`delete from auth."twoFactor" where "userId" = $1`, [user.id]);
      for (const row of twoFactor) await insert('auth."twoFactor"', await sealed(vault, row));
    }
    if (replaced.rowCount === 1 || switchedOn.rowCount === 1) await endSignIns(client, user.id);
  }
}

/** @returns inserts a row into a table of better-auth, and returns whether it was not there yet */
async function createInsert(client: pg.ClientBase) {
  const tables = await describeTables(client);
  return async function insert(name: string, row: object): Promise<boolean> {
    const columns = tables.find((table) => table.name === name)!.columns.join(', ');
    const { rowCount } = await client.query(
      `insert into ${name} (${columns})
       select ${columns} from jsonb_populate_record(null::${name}, $1) on conflict do nothing`,
      [JSON.stringify(row)],
    );
    return rowCount === 1;
  };
}

async function sealed(vault: Vault, factor: Account['twoFactor'][number]): Promise<object> {
  const secret = await sealSecondFactor(vault, factor.secret);
  const backupCodes = await sealSecondFactor(vault, factor.backupCodes);
  return { ...factor, secret, backupCodes };
}
