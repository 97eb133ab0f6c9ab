-- People of whom something was deleted, with what a background job still has to delete of them: copies of their messages
-- and of their contact, and finally their identities.
create table erasures (
  tenant_id bigint not null references tenants on delete cascade,
  -- The key of the conversation.
  person text not null,
  -- The deleted contact; 0 if the messages were deleted without one.
  contact_id bigint not null default 0,
  erased_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  primary key (tenant_id, person, contact_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index erasures_due on erasures (due_at);

-- Identities that earlier versions left behind. Those of people with a contact stay.
insert into erasures (tenant_id, person)
select distinct tenant_id, person from conversation_aliases as alias
where not exists (
  select from conversations
  where conversations.tenant_id = alias.tenant_id and conversations.person = alias.person);

-- A late callback can name the old phone for weeks, not for ever.
alter table former_phones add column changed_at timestamptz not null default now();
