import sql from 'sql-template-tag';
import type { Services } from '../src/services.ts';
import { insertContacts } from '../test/features/insert-contacts.ts';
import { type SeededTenant, seedTenant } from './seed-tenant.ts';

const firstnames =
  'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth Иван Мария Nguyễn Trần 王伟 李娜 محمد فاطمة Jürgen Zoë Ana João Aïcha Yuki Priya Olu Sven Ingrid Paolo Chiara';
const lastnames =
  'Smith Johnson Brown Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Wilson Anderson Taylor Moore Jackson Martin Lee Thompson Иванов Петрова Müller Kowalski Yılmaz Øster Silva Rossi Sato Kaur Okafor';

/** In every tenant, a search for `needle` finds three contacts, and for `tenthName` every tenth. */
export const needle = 'quixadá';
export const tenthName = 'bartholomew';

/** The ids of a status and a group that half of the contacts have, and of a source of every tenth. */
type Labels = { status: number; source: number; group: number };

export type LabelledTenant = SeededTenant & { labels: Labels };

/** Creates a tenant with `count` contacts. */
export async function seedContacts(
  services: Services,
  slug: string,
  count: number,
  tokenCount: number,
): Promise<LabelledTenant> {
  const tenant = await seedTenant(services, slug, tokenCount);
  return { ...tenant, labels: await addContacts(services, tenant.id, count) };
}

/**
 * Adds `count` contacts to a tenant without any. They are inserted by few statements, which is faster than any
 * client; the triggers update counts and search texts as usual.
 */
export async function addContacts(
  { db }: Services,
  tenantId: number,
  count: number,
): Promise<Labels> {
  const labels = await createLabels(db, tenantId);
  for (let from = 0; from < count; from += 50_000) {
    const to = Math.min(count, from + 50_000);
    await insertContacts(
      db,
      'tenant_id, status_id, source_id, firstname, lastname, phone, email, city',
      sql`
        select ${tenantId}, case when n % 2 = 0 then ${labels.status}::bigint end,
               case when n % 10 = 0 then ${labels.source}::bigint end, firstname, lastname, '+4915' || lpad(n::text, 9, '0'),
               lower(firstname || '.' || lastname) || n || '@example.com', 'Oakland'
        from (
          select n,
                 case when n % 10 = 7 then ${tenthName}::text
                      else first[1 + (hashint8(n) & 2147483647) % cardinality(first)] end as firstname,
                 case when n in (11, ${Math.floor(count / 2)}, ${count - 3}) then ${needle}::text
                      else last[1 + (hashint8(n * 7) & 2147483647) % cardinality(last)] end as lastname
          from generate_series(${from}::bigint, ${to - 1}::bigint) as n,
               string_to_array(${firstnames}, ' ') as first, string_to_array(${lastnames}, ' ') as last
        ) as names`,
    );
  }
  await db.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select tenant_id, id, ${labels.group} from contacts
    where tenant_id = ${tenantId} and id % 2 = 0`);
  return labels;
}

async function createLabels(db: Services['db'], tenantId: number): Promise<Labels> {
  const { rows } = await db.query<Labels>(sql`
    with status as (
      insert into statuses (tenant_id, name) values (${tenantId}, 'Customer') returning id
    ), source as (
      insert into sources (tenant_id, name) values (${tenantId}, 'Shop') returning id
    ), new_group as (
      insert into groups (tenant_id, name) values (${tenantId}, 'News') returning id
    )
    select status.id as status, source.id as source, new_group.id as group
    from status, source, new_group`);
  return rows[0]!;
}

/** Indexes all new texts at once, as a restored database would. */
export async function indexAllTexts({ db }: Services): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`set local maintenance_work_mem = '512MB'`);
    const { rows } = await tx.query<{ indexdef: string }>(sql`
      select indexdef from pg_indexes where indexname = 'search_texts_grams'`);
    await tx.query(sql`drop index search_texts_grams`);
    await tx.query(sql`insert into search_texts select * from new_search_texts`);
    await tx.query(sql`truncate new_search_texts`);
    await tx.query({ name: 'index-texts', text: rows[0]!.indexdef, values: [] });
  });
  await db.query(sql`vacuum analyze`);
}
