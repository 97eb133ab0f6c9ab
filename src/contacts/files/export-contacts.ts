import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { isoTime } from '../../platform/database/iso-time.ts';
import { contactFieldNames } from '../fields/contact-fields.ts';
import { eachColumn } from '../fields/field-columns.ts';
import { type ContactFilter, passes } from '../searching/contact-filter.ts';
import { csvColumns, joinNames, writeLine } from './csv/csv-format.ts';

const pageSize = 1_000;

/** The identities at the network are not imported, because only the network can attest them. */
const headings = ['id', ...csvColumns, 'user_id', 'username', 'created_at'] as const;

type ExportedContact = Record<(typeof headings)[number], string | number | string[] | null> & {
  passes: boolean;
};

/**
 * Yields the contacts of a tenant as CSV that can be imported again: first the names of the columns, then some
 * lines at a time. Cells that a spreadsheet would run as a formula are made inert. No `contact.read` events are
 * recorded.
 *
 * @param filter which contacts
 * @param onExported gets the number of contacts so far
 */
export async function* contactLines(
  db: Db,
  tenantId: number,
  filter: ContactFilter,
  onExported?: (contacts: number) => void,
): AsyncGenerator<string, void> {
  let count = 0;
  // The byte order mark shows a spreadsheet that the text is UTF-8.
  yield `\ufeff${writeLine([...headings])}`;
  for (let page: ExportedContact[] = [], after = 0; ; after = Number(page.at(-1)!.id)) {
    page = await contactsAfter(db, tenantId, filter, after);
    if (page.length === 0) return;
    const found = page.filter((contact) => contact.passes);
    count += found.length;
    yield found.map((contact) => writeLine(headings.map((name) => cellOf(contact[name])))).join('');
    onExported?.(count);
  }
}

/**
 * Writes the contacts of a tenant to a CSV file, page by page.
 *
 * The file is called `<path>.part` until it is complete, so that an interrupted export is not mistaken for a
 * complete one. Pipes and devices are written to directly, and `-` is standard output.
 *
 * @param onExported gets the number of contacts so far
 * @param signal aborts the export: it throws, and leaves an existing file at `path` untouched
 * @returns the number of contacts
 */
export async function exportContacts(
  db: Database,
  tenantId: number,
  path: string,
  {
    onExported,
    signal,
  }: {
    onExported?(contacts: number): void;
    signal?: AbortSignal;
  } = {},
): Promise<number> {
  const existing = path === '-' ? undefined : await lstat(path).catch(() => undefined);
  if (existing?.isDirectory()) throw new Error(`${path} is a folder.`);
  const isFile = existing?.isFile() ?? true;
  let count = 0;
  const lines = contactLines(db, tenantId, {}, (contacts) => {
    count = contacts;
    onExported?.(count);
  });
  if (path === '-') {
    await pipeline(lines, process.stdout, { signal, end: false });
    return count;
  }
  if (!isFile) {
    await pipeline(lines, createWriteStream(path), { signal });
    return count;
  }
  const part = `${path}.part`;
  try {
    await rm(part, { force: true });
    // The new file has the permissions of the old one. Without one, nobody else can read the contacts.
    const mode = existing?.mode ?? 0o600;
    await pipeline(lines, createWriteStream(part, { mode }), { signal });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return count;
}

function cellOf(value: ExportedContact[(typeof headings)[number]]): string | number | null {
  return Array.isArray(value) ? joinNames(value) : value;
}

/** Reads the next contacts. Those that do not pass the filter are included, so that no page takes long. */
async function contactsAfter(
  db: Db,
  tenantId: number,
  filter: ContactFilter,
  after: number,
): Promise<ExportedContact[]> {
  const { rows } = await db.query<ExportedContact>(sql`
    select contacts.id, (${passes(tenantId, filter)}) as passes, ${eachColumn(contactFieldNames, (_, column) => sql`${column}::text`)},
           (select name from statuses where tenant_id = contacts.tenant_id
              and id = contacts.status_id and deleted_at is null) as status,
           (select name from sources where tenant_id = contacts.tenant_id
              and id = contacts.source_id and deleted_at is null) as source,
           array(
             select groups.name
             from contact_groups member
             join groups on groups.tenant_id = member.tenant_id and groups.id = member.group_id
               and groups.deleted_at is null
             where member.tenant_id = contacts.tenant_id and member.contact_id = contacts.id
             order by groups.id) as groups,
           nullif(contacts.metadata, '{}')::text as metadata, contacts.user_id, contacts.username,
           ${isoTime(sql`created_at`)} as created_at
    from contacts
    where tenant_id = ${tenantId} and id > ${after}
    order by id limit ${pageSize}`);
  return rows;
}
