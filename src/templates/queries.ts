import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { TemplateComponent } from './components.ts';

export type TemplateRow = {
  id: number;
  business_account_id: string;
  network_id: string;
  name: string;
  language: string;
  status: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  rejected_reason: string | null;
  components: TemplateComponent[];
};

const columns: Sql = sql`id, business_account_id, network_id, name, language, status, category,
  parameter_format, rejected_reason, components`;

/** Lists the templates of a business account by name, all or those with one status. */
export async function listTemplates(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  status?: string,
): Promise<TemplateRow[]> {
  const { rows } = await db.query<TemplateRow>(sql`
    select ${columns} from templates
    where tenant_id = ${tenantId} and business_account_id = ${businessAccountId}
      and (${status ?? null}::text is null or status = ${status ?? null})
    order by name, language`);
  return rows;
}

/** Finds a template in all its languages, with any status. */
export async function findTemplatesByName(
  db: Db,
  tenantId: number,
  businessAccountId: string,
  name: string,
): Promise<TemplateRow[]> {
  const { rows } = await db.query<TemplateRow>(
    statement(
      'find-templates-by-name',
      sql`
        select ${columns} from templates
        where tenant_id = ${tenantId} and business_account_id = ${businessAccountId}
          and name = ${name}
        order by language`,
    ),
  );
  return rows;
}
