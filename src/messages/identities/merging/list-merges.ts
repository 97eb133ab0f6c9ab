import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';

export type Merge = {
  id: number;
  merged_at: Date;
  contact_id: number | null;
  earlier_identity: string;
  identity: string;
  merged_name: string | null;
};

const maxShown = 100;

/** Lists the latest merges of a tenant that were not undone, the newest first. */
export async function listMerges(db: Db, tenantId: number): Promise<Merge[]> {
  const { rows } = await db.query<Merge>(sql`
    select id, merged_at, contact_id, earlier_identity, identity,
           merged_contact ->> 'firstname' as merged_name
    from identity_merges
    where tenant_id = ${tenantId} and undone_at is null
    order by id desc limit ${maxShown}`);
  return rows;
}
