import type pg from 'pg';

/** A table, with the columns that can be written. Names are quoted as in SQL where they need it. */
export type Table = { name: string; columns: string[] };

/** Lists the tables of the service, those that others reference first. */
export async function describeTables(client: pg.Pool | pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`
    with known as (
      select oid, relkind, relispartition, relnamespace,
             (case when relnamespace = 'auth'::regnamespace then 'auth.' else '' end)
               || quote_ident(relname) as name
      from pg_class
    )
    select name,
           array(
             select quote_ident(attname) from pg_attribute
             where attrelid = known.oid and attnum > 0 and not attisdropped and attgenerated = ''
             order by attnum) as columns,
           array(
             select other.name from pg_constraint join known other on other.oid = confrelid
             where contype = 'f' and conrelid = known.oid and confrelid <> conrelid) as needs
    from known
    where relkind in ('r', 'p') and not relispartition
      and relnamespace in (current_schema()::regnamespace, 'auth'::regnamespace)
    order by 1`);
  const ordered: Table[] = [];
  const isKnown = (name: string) => ordered.some((table) => table.name === name);
  while (ordered.length < rows.length) {
    const next = rows.filter(({ name, needs }) => !isKnown(name) && needs.every(isKnown));
    if (next.length === 0) throw new Error('The foreign keys of the tables form a circle.');
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })));
  }
  return ordered;
}
