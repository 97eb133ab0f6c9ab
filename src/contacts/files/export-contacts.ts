import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database.ts';
import { writeLine } from './csv-format.ts';

const pageSize = 1_000;

const headings = [
  'id',
  'firstname',
  'lastname',
  'phone',
  'email',
  'company',
  'city',
  'status',
  'source',
  'groups',
  'created_at',
] as const;

type ExportedContact = Record<(typeof headings)[number], string | number | null>;

/**
 * Writes all contacts of a tenant to a CSV file that an import takes again, some at a time. Cells
 * that a spreadsheet would run as a formula are made inert. This is the operator's own doing: the
 * tenant's webhook is not told of a reading.
 *
 * @returns how many
 */
export async function exportContacts(
  db: Database,
  tenantId: number,
  path: string,
): Promise<number> {
  const file = createWriteStream(path);
  await once(file, 'open');
  let count = 0;
  // The mark at the beginning tells a spreadsheet that the text is UTF-8.
  file.write(`\ufeff${writeLine([...headings])}`);
  for (let page: ExportedContact[] = [], after = 0; ; after = Number(page.at(-1)!.id)) {
    page = await contactsAfter(db, tenantId, after);
    if (page.length === 0) break;
    count += page.length;
    const lines = page.map((contact) => writeLine(headings.map((heading) => contact[heading])));
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  await finished(file.end());
  return count;
}

async function contactsAfter(db: Db, tenantId: number, after: number): Promise<ExportedContact[]> {
  const { rows } = await db.query<ExportedContact>(sql`
    select contact.id, firstname, lastname, phone, email, company, city,
           (select name from statuses where tenant_id = contact.tenant_id
              and id = contact.status_id and deleted_at is null) as status,
           (select name from sources where tenant_id = contact.tenant_id
              and id = contact.source_id and deleted_at is null) as source,
           (select string_agg(groups.name, ';' order by groups.id)
            from contact_groups member
            join groups on groups.tenant_id = member.tenant_id and groups.id = member.group_id
              and groups.deleted_at is null
            where member.tenant_id = contact.tenant_id and member.contact_id = contact.id) as groups,
           to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from contacts contact
    where tenant_id = ${tenantId} and id > ${after}
    order by id limit ${pageSize}`);
  return rows;
}
