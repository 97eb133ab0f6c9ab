-- Contacts: the tenant's own id and further values, and the orders and filters of the API's list.

-- Only changes of the catalog: no row is rewritten.
alter table contacts
  add column external_id text,
  -- Texts by name.
  add column metadata jsonb not null default '{}';

-- Partial, so that a contact without one, the common case, adds no entry.
create unique index contacts_external_id on contacts (tenant_id, external_id)
  where external_id is not null;
create index contacts_email on contacts (tenant_id, searchable(email)) where email is not null;

create index contacts_updated on contacts (tenant_id, updated_at, id);
create index contacts_firstname on contacts (tenant_id, (searchable(firstname) collate "C"), id);
