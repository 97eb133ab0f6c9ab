import sql, { raw, type Sql } from 'sql-template-tag';

type Insertion = {
  /** What the step that inserts is named. */
  step?: string;
  /** By their names; `source` gives them in the same order. */
  columns: string;
  /** A select. Of many, in the order of tenant and phone, so that two statements with the same phones take turns. */
  source: Sql;
  /** What becomes of a contact that has the phone already, as `update set ...`; else it stays. */
  known?: Sql;
  /** Further columns of what the step gives. */
  returning?: Sql;
  /** One contact at most: it need not be summed up. */
  isLone?: boolean;
};

/**
 * Steps of a statement that inserts contacts: `contact`, which gives their columns and `created` (whether it is
 * new), and what every new contact brings with it, its place in the counts and the text that a search looks through
 * (docs/decisions/0007). The only way to insert contacts. Not the work of a trigger: that took a lone create 0.02 ms
 * longer.
 */
export function insertedContacts(insertion: Insertion): Sql {
  const { step = 'contact', columns, source, known, returning, isLone = false } = insertion;
  // A row of this insert has never been locked or changed.
  const created = known ? sql`contact.xmax = 0` : sql`true`;
  const fromNew = known ? sql`from ${raw(step)} where created` : sql`from ${raw(step)}`;
  return sql`
    ${raw(step)} as (
      insert into contacts as contact (${raw(columns)})
      ${source}
      on conflict (tenant_id, phone_identity) do ${known ?? sql`nothing`}
      returning contact.*, ${created} as created${returning ? sql`, ${returning}` : sql``}
    ), counted_contacts as (
      insert into contact_counts as kept (tenant_id, span, first_id, shard, contacts)
      select tenant_id, span, id - id % span, pg_backend_pid() % 4, ${isLone ? sql`1` : sql`count(*)`}
      from (values (1024), (1048576)) as spans (span) cross join (select tenant_id, id ${fromNew}) as added
      ${isLone ? sql`` : sql`group by 1, 2, 3 order by 1, 2, 3`}
      on conflict (tenant_id, span, first_id, shard)
        do update set contacts = kept.contacts + excluded.contacts
    ), searched_contacts as (
      insert into new_search_texts (tenant_id, contact_id, text)
      select tenant_id, id, search_text(firstname, lastname, phone, email) ${fromNew}
    )`;
}
