import sql, { type Sql } from 'sql-template-tag';
import { insertedContacts } from '../../src/contacts/writing/inserted-contacts.ts';
import type { Db } from '../../src/platform/database/database.ts';

/**
 * Inserts many contacts at once, for tests that are not about creating them. `source` selects the columns in
 * their order.
 */
export async function insertContacts(db: Db, columns: string, source: Sql): Promise<void> {
  await db.query(sql`with ${insertedContacts({ columns, source })} select from contact`);
}
