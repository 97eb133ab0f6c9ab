import type pg from 'pg';
import { deleteUnusedAccount } from '../members/sign-in/delete-unused-account.ts';
import { openSecondFactor, sealSecondFactor } from '../members/sign-in/second-factor.ts';
import { describeTables } from '../platform/database/describe-tables.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import type { Account } from './format.ts';

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
 * email proves nothing, so an account of a stranger with the same email gets no access to the tenant. An account that was
 * left behind without a tenant is replaced, because its password and second factor are those of an earlier time.
 *
 * @returns the emails of the accounts that were here already
 */
export async function writeAccounts(
  client: pg.ClientBase,
  vault: Vault,
  accounts: Account[],
): Promise<string[]> {
  const tables = await describeTables(client);
  const insert = async (name: string, row: object) => {
    const columns = tables.find((table) => table.name === name)!.columns.join(', ');
    const { rowCount } = await client.query(
      `insert into ${name} (${columns})
       select ${columns} from jsonb_populate_record(null::${name}, $1) on conflict do nothing`,
      [JSON.stringify(row)],
    );
    return rowCount === 1;
  };
  const known: string[] = [];
  for (const { user, account, twoFactor } of accounts) {
    await deleteUnusedAccount(client, user.id);
    if (!(await insert('auth."user"', user))) {
      known.push(String(user.email));
      continue;
    }
    for (const row of account) await insert('auth.account', row);
    for (const row of twoFactor) {
      const secret = await sealSecondFactor(vault, row.secret);
      const backupCodes = await sealSecondFactor(vault, row.backupCodes);
      await insert('auth."twoFactor"', { ...row, secret, backupCodes });
    }
  }
  return known;
}
