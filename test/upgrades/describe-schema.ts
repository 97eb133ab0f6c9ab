import type pg from 'pg';

export type Column = { type: string; required: boolean; filled: boolean };
export type Constraint = { definition: string; is_unique: boolean; columns: string[] };
export type Relation = {
  columns: Map<string, Column>;
  constraints: Constraint[];
  triggers: string[];
};
/** What a program can rely on: tables and views, functions with their result, and values of enum types. */
export type Schema = {
  relations: Map<string, Relation>;
  functions: Map<string, string>;
  enumValues: string[];
};

const ours = `relnamespace::regnamespace::text in ('public', 'auth')`;

/** Reads the schema that migrations have made. */
export async function describeSchema(client: pg.Pool | pg.ClientBase): Promise<Schema> {
  const relations = new Map<string, Relation>();
  const of = (name: string) => {
    const empty: Relation = { columns: new Map(), constraints: [], triggers: [] };
    const relation = relations.get(name) ?? empty;
    relations.set(name, relation);
    return relation;
  };
  const columns = await client.query<{ relation: string; name: string } & Column>(`
    select pg_class.oid::regclass::text as relation, attname as name,
           format_type(atttypid, atttypmod) || case when attgenerated <> '' then ' generated' else '' end as type,
           attnotnull as required, atthasdef or attidentity <> '' as filled
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p', 'v', 'm') and not relispartition and ${ours}`);
  for (const { relation, name, ...column } of columns.rows) of(relation).columns.set(name, column);

  const constraints = await client.query<{ relation: string } & Constraint>(`
    select conrelid::regclass::text as relation, pg_get_constraintdef(pg_constraint.oid) as definition,
           contype in ('p', 'u') as is_unique,
           array(select attname::text from pg_attribute
                 where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype <> 'n' and not relispartition and ${ours}
    union all
    select indrelid::regclass::text,
           regexp_replace(pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX \\S+ ON \\S+ ', 'UNIQUE INDEX '), true,
           array(select attname::text from pg_attribute
                 where attrelid = indrelid and attnum = any(indkey))
    from pg_index join pg_class on pg_class.oid = indrelid
    where indisunique and not relispartition and ${ours}
      and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)`);
  for (const { relation, ...constraint } of constraints.rows) {
    of(relation).constraints.push(constraint);
  }

  const triggers = await client.query<{ relation: string; name: string }>(`
    select tgrelid::regclass::text as relation, tgname as name
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and not relispartition and ${ours}`);
  for (const { relation, name } of triggers.rows) of(relation).triggers.push(name);

  const functions = await client.query<{ signature: string; result: string }>(`
    select oid::regprocedure::text as signature, pg_get_function_result(oid) as result
    from pg_proc where pronamespace::regnamespace::text in ('public', 'auth')`);
  const values = await client.query<{ value: string }>(`
    select enumtypid::regtype::text || ' ' || quote_literal(enumlabel) as value from pg_enum`);
  return {
    relations,
    functions: new Map(functions.rows.map(({ signature, result }) => [signature, result])),
    enumValues: values.rows.map(({ value }) => value),
  };
}
