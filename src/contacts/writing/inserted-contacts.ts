import sql, { raw, type Sql } from 'sql-template-tag';
import { notifyOfContacts } from '../../messages/conversations/live/conversation-changes.ts';

type Insertion = {
  /** The names of the columns. `source` selects them in the same order. */
  columns: string;
  /**
   * A select. It must order several contacts by tenant and phone, so that two statements with the same phones
   * lock them in the same order.
   */
  source: Sql;
  /**
   * The `update set ...` of a contact that already has the phone. By default a contact with the phone or the user id
   * does not change.
   */
  onConflict?: Sql;
};

/**
 * CTEs that insert contacts. `contact` returns their columns and `created` (whether the contact is new). The others
 * add each new contact to the counts and its text to the search (docs/decisions/0007), so there is no other way to
 * insert contacts. Triggers would be slower. The statement also selects from `notifiedOfContacts`, because PostgreSQL
 * does not run a part that nothing reads.
 */
export function insertedContacts({ columns, source, onConflict }: Insertion): Sql {
  // A row that this statement inserted has never been locked or changed.
  const created = onConflict ? sql`contact.xmax = 0` : sql`true`;
  return sql`
    contact as (
      insert into contacts as contact (${raw(columns)})
      ${source}
      on conflict ${onConflict ? sql`(tenant_id, phone_identity) do ${onConflict}` : sql`do nothing`}
      returning contact.*, ${created} as created
    ), counted_contacts as (
      insert into contact_counts as stored (tenant_id, span, first_id, shard, contacts)
      select tenant_id, span, id - id % span, pg_backend_pid() % 4, count(*)
      from contact cross join (values (1024), (1048576)) as spans (span)
      where created
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (tenant_id, span, first_id, shard)
        do update set contacts = stored.contacts + excluded.contacts
    ), searched_contacts as (
      insert into new_search_texts (tenant_id, contact_id, text)
      select tenant_id, id, search_text(firstname, lastname, phone, email, username) from contact where created
    ), notified_contacts as materialized (
      ${notifyOfContacts(sql`contact`)}
    )`;
}

/** Notifies the watchers of the conversations with the contacts that `insertedContacts` created or changed. One row. */
export const notifiedOfContacts: Sql = sql`(select count(*) from notified_contacts) as notified`;
