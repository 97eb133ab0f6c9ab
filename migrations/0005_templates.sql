-- Templates as the network has them, inbound messages, and the removal of whole conversations.

create table templates (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  business_account_id text not null,
  -- The network's own id, digits that may pass 2^53.
  network_id text not null,
  name text not null,
  language text not null,
  status text not null,
  category text not null,
  parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
  components jsonb not null,
  -- When the list that it was last seen on was asked for.
  listed_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, business_account_id, name, language)
);

-- When the templates of a tenant are to be fetched next; a worker takes what is due.
create table template_syncs (
  tenant_id bigint primary key references tenants on delete cascade,
  due_at timestamptz not null,
  synced_at timestamptz,
  problem text
);
create index template_syncs_due on template_syncs (due_at);

-- Whether an unknown phone that writes becomes a contact.
alter table tenants add column contacts_from_inbound boolean not null default true;

-- Messages a second that the network takes of this number; null: the usual.
alter table numbers add column messages_per_second integer check (messages_per_second > 0);

-- Finds the last inbound message of a phone, which opens its 24-hour window. Partial, so that
-- outbound messages do not pay for it.
create index messages_inbound on messages (tenant_id, phone, id) where direction = 'in';

-- Conversations on their way out: the messages of the phone up to this id are gone for every
-- reader, and a worker removes the rows.
create table conversation_removals (
  tenant_id bigint not null references tenants on delete cascade,
  phone text not null,
  up_to_id bigint not null,
  primary key (tenant_id, phone)
);
