/**
 * Functions in the schema of the tests that bring a database back to the state of the template: its rows, its
 * sequences and its clock. `test_clock.shape()` changes if a test changes what they do not bring back.
 */
export const emptyDatabase = `
  create table test_clock.first_walks as select * from message_walks;

  create function test_clock.empty() returns void language plpgsql as $$
  declare
    -- Also those whose rows were deleted: their pages would change plans.
    _filled text := (
      select string_agg(oid::regclass::text, ', ') from pg_class
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)
        and oid not in ('migrations'::regclass, 'schema_compatibility'::regclass)
        and pg_relation_size(oid) > 0);
  begin
    execute 'truncate ' || _filled || ' cascade';
    insert into message_walks select * from test_clock.first_walks;
    perform setval(seqrelid::regclass, seqstart, false) from pg_sequence
    where pg_sequence_last_value(seqrelid) is not null;
    update test_clock.setting set offset_ms = 0;
  end $$;

  create function test_clock.shape() returns text language sql as $$
    select sum(hashtextextended(part, 0))::text from (
      select concat(oid, relname, relhastriggers) from pg_class
      where relnamespace > 16000 and relkind <> 't'
      union all
      select concat(attrelid, attname, atttypid, attnotnull) from pg_attribute
      where attrelid > 16000 and attnum > 0
      union all
      select concat(oid, prosrc) from pg_proc where oid > 16000
      union all
      select concat(oid, tgname, tgenabled) from pg_trigger
      where tgrelid > 16000 and not tgisinternal
      union all
      select concat(oid, conname, convalidated) from pg_constraint where conrelid > 16000
      union all
      select concat(oid, nspname) from pg_namespace where oid > 16000
      union all
      select concat(tablename, attname) from pg_stats where schemaname in ('public', 'auth')
      union all
      select migrations::text from migrations
      union all
      select schema_compatibility::text from schema_compatibility
    ) as parts (part)
  $$`;
