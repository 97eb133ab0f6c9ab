-- People whose phone the network hides: they have a user id, and perhaps a username.

-- A contact that arrived without a phone has a user id. Only changes of the catalog: no row is rewritten.
alter table contacts
  alter column phone drop not null,
  alter column phone_identity drop not null,
  -- The newest user id. The network gives a person a new one when the phone changes.
  add column user_id text,
  add column username text;

-- Partial, so that a contact without a user id adds no entry.
create unique index contacts_user_id on contacts (tenant_id, user_id) where user_id is not null;

-- The text that a search looks at, one field on each line.
create function search_text(firstname text, lastname text, phone text, email text, username text)
returns text language sql immutable parallel safe
return searchable(
  firstname || coalesce(' ' || lastname, '') || coalesce(e'\n' || phone, '')
  || coalesce(e'\n' || email, '') || coalesce(e'\n' || username, ''));

-- Processes of the version before call this one.
create or replace function search_text(firstname text, lastname text, phone text, email text)
returns text language sql immutable parallel safe
return search_text(firstname, lastname, phone, email, null);

create or replace function replace_search_texts() returns trigger language plpgsql as $$
begin
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

-- Two contacts or two conversations that became one, because the network reported that they are one person.
-- With what an undo needs.
create table identity_merges (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  merged_at timestamptz not null default now(),
  undone_at timestamptz,
  contact_id bigint,
  -- The contact that stayed, before the merge, and the one that was merged into it.
  contact_before jsonb,
  merged_contact jsonb,
  -- The identities that the network linked.
  earlier_identity text not null,
  identity text not null,
  -- The conversation that stayed, the one that was merged into it, and the messages that moved.
  person text not null,
  merged_person text,
  merged_conversation jsonb,
  moved_ids bigint[] not null default '{}',
  primary key (tenant_id, id)
);
create index identity_merges_contact on identity_merges (tenant_id, contact_id)
  where contact_id is not null;
