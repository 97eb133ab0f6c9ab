-- The contacts of a tenant that moves are copied while it serves, and their changes follow. Counts, search texts and
-- times are copied, too, so the copy must not write them itself (migration 0023 explains `parley.importing`).

create or replace function advance_updated_at() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return new; end if;
  new.updated_at := old.updated_at + interval '1 ms';
  return new;
end $$;

create or replace function replace_search_texts() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return null; end if;
  with changed as (
    select after.tenant_id, after.id,
           search_text(after.firstname, after.lastname, after.phone, after.email, after.username) as text
    from after join before using (tenant_id, id)
    where (after.firstname, after.lastname, after.phone, after.email, after.username)
      is distinct from (before.firstname, before.lastname, before.phone, before.email, before.username)
  ), outdated as (
    delete from search_texts using changed
    where search_texts.tenant_id = changed.tenant_id and contact_id = changed.id
  )
  insert into new_search_texts (tenant_id, contact_id, text)
  select tenant_id, id, text from changed order by tenant_id, id
  on conflict (tenant_id, contact_id) do update set text = excluded.text;
  return null;
end $$;

create or replace function delete_search_texts() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return null; end if;
  delete from new_search_texts using deleted
  where new_search_texts.tenant_id = deleted.tenant_id and contact_id = deleted.id;
  delete from search_texts using deleted
  where search_texts.tenant_id = deleted.tenant_id and contact_id = deleted.id;
  return null;
end $$;

create or replace function count_deleted_contacts() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return null; end if;
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
