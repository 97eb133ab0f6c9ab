-- Finding contacts by a part of their text, and by their position in a list (docs/decisions/0007).

-- The text that a search looks at, one field on each line.
create function search_text(firstname text, lastname text, phone text, email text)
returns text language sql immutable parallel safe
return searchable(
  firstname || coalesce(' ' || lastname, '') || e'\n' || phone || coalesce(e'\n' || email, ''));

-- Splits a text into the n-grams of the index, each with the tenant in front: three characters from each
-- letter on, five from each digit on, because digits are less selective. Near the end they are shorter.
-- The range '+' to '9' has the digits and + , - . /
create function search_grams(tenant_id bigint, value text) returns tsvector
language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  owner text := tenant_id || ':';
  grams text[];
begin
  for i in 1..length(value) loop
    grams[i] := owner || substr(value, i,
      case when substr(value, i, 1) collate "C" between '+' and '9' then 5 else 3 end);
  end loop;
  return array_to_tsvector(grams);
end $$;

-- Quotes a text as one lexeme of a tsquery.
create function quoted_lexeme(value text) returns text language sql immutable strict parallel safe
return '''' || replace(replace(value, '\', '\\'), '''', '''''') || '''';

-- Returns a query for the index that finds every text with the term, and few others. Of the n-grams that
-- start with a letter it uses only those that do not overlap, and the last one, because the others would
-- exclude hardly anything more. Of digits it uses all, because any of them can be the rare one. A term
-- shorter than an n-gram matches the beginnings of n-grams.
create function search_query(tenant_id bigint, term text) returns tsquery
language plpgsql immutable strict parallel safe as $$
declare
  wanted tsquery;
  whole text;
  last text;
  free_from integer := 1;
  size integer;
begin
  for i in 1..length(term) loop
    size := case when substr(term, i, 1) collate "C" between '+' and '9' then 5 else 3 end;
    continue when i + size - 1 > length(term);
    last := quoted_lexeme(tenant_id || ':' || substr(term, i, size));
    continue when i < free_from and size = 3;
    whole := last;
    wanted := coalesce(wanted && whole::tsquery, whole::tsquery);
    free_from := greatest(free_from, i + size);
  end loop;
  return case
    when wanted is null then (quoted_lexeme(tenant_id || ':' || term) || ':*')::tsquery
    when last <> whole then wanted && last::tsquery
    else wanted end;
end $$;

-- Texts that are not indexed yet. A search reads all new texts of its tenant. A worker moves them to
-- `search_texts` in bulk, which costs a fraction of indexing each one when it is written.
create table new_search_texts (
  tenant_id bigint not null,
  contact_id bigint not null,
  text text not null,
  primary key (tenant_id, contact_id)
) with (autovacuum_vacuum_scale_factor = 0.05);

create table search_texts (
  tenant_id bigint not null,
  contact_id bigint not null,
  text text not null,
  primary key (tenant_id, contact_id)
);

create index search_texts_grams on search_texts using gin (search_grams(tenant_id, text))
  with (gin_pending_list_limit = 65536);

-- No plan uses statistics of these, and ANALYZE would compute the n-grams of 30,000 texts.
alter table search_texts alter column text set statistics 0;
alter index search_texts_grams alter column 1 set statistics 0;

-- The statements that insert contacts insert the text themselves; a trigger would be slower.
create function replace_search_texts() returns trigger language plpgsql as $$
begin
  with changed as (
    select after.tenant_id, after.id,
           search_text(after.firstname, after.lastname, after.phone, after.email) as text
    from after join before using (tenant_id, id)
    where (after.firstname, after.lastname, after.phone, after.email)
      is distinct from (before.firstname, before.lastname, before.phone, before.email)
  ), outdated as (
    delete from search_texts using changed
    where search_texts.tenant_id = changed.tenant_id and contact_id = changed.id
  )
  insert into new_search_texts (tenant_id, contact_id, text)
  select tenant_id, id, text from changed order by tenant_id, id
  on conflict (tenant_id, contact_id) do update set text = excluded.text;
  return null;
end $$;

create trigger replace_search_texts after update on contacts
  referencing old table as before new table as after
  for each statement execute function replace_search_texts();

create function delete_search_texts() returns trigger language plpgsql as $$
begin
  delete from new_search_texts using deleted
  where new_search_texts.tenant_id = deleted.tenant_id and contact_id = deleted.id;
  delete from search_texts using deleted
  where search_texts.tenant_id = deleted.tenant_id and contact_id = deleted.id;
  return null;
end $$;

create trigger delete_search_texts after delete on contacts
  referencing old table as deleted for each statement execute function delete_search_texts();

-- The number of a tenant's contacts in each small and large span of ids, for totals and positions. Each
-- span has a few rows (shards), so that writers seldom wait for each other; their sum is the number.
create table contact_counts (
  tenant_id bigint not null references tenants on delete cascade,
  span integer not null,
  first_id bigint not null,
  shard smallint not null,
  contacts integer not null,
  primary key (tenant_id, span, first_id, shard)
) with (fillfactor = 50);

-- The statements that insert contacts count them themselves; a trigger would be slower.
create function count_deleted_contacts() returns trigger language plpgsql as $$
begin
  insert into contact_counts as stored (tenant_id, span, first_id, shard, contacts)
  select tenant_id, span, id - id % span, pg_backend_pid() % 4, -count(*)
  from deleted cross join (values (1024), (1048576)) as spans (span)
  -- Not when the tenant itself is deleted.
  where exists (select from tenants where tenants.id = deleted.tenant_id)
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (tenant_id, span, first_id, shard)
    do update set contacts = stored.contacts + excluded.contacts;
  return null;
end $$;

create trigger count_deleted_contacts after delete on contacts
  referencing old table as deleted for each statement execute function count_deleted_contacts();

-- Returns the id of the tenant's contact at a position, from 0; null beyond the last one. It reads the
-- spans only up to the one with the position.
create function contact_at(_tenant_id bigint, _position bigint) returns bigint
language plpgsql stable strict parallel safe as $$
declare
  _span record;
  _first bigint;
  _before bigint := 0;
begin
  for _span in
    select first_id, sum(contacts) as held from contact_counts
    where tenant_id = _tenant_id and span = 1048576
    group by first_id order by first_id
  loop
    _first := _span.first_id;
    exit when _position < _before + _span.held;
    _before := _before + _span.held;
    _first := null;
  end loop;
  if _first is null then return null; end if;

  for _span in
    select first_id, sum(contacts) as held from contact_counts
    where tenant_id = _tenant_id and span = 1024
      and first_id >= _first and first_id < _first + 1048576
    group by first_id order by first_id
  loop
    exit when _position < _before + _span.held;
    _before := _before + _span.held;
  end loop;

  return (
    select id from contacts where tenant_id = _tenant_id and id >= _span.first_id
    order by id offset _position - _before limit 1);
end $$;
