-- The WhatsApp numbers of tenants, and the templates of their business accounts.

create table numbers (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  simulator boolean not null default false,
  phone_number_id text not null,
  business_account_id text not null,
  -- The random end of the URL that the network calls.
  callback_id text not null unique,
  verify_token text not null,
  display_phone_number text,
  -- Encrypted with the master key; null once the number is disconnected.
  access_token bytea,
  app_secret bytea,
  -- The network's rate limit for this number; null for the default.
  messages_per_second integer check (messages_per_second > 0),
  -- Why the number cannot send now, for example a rejected access token.
  problem text,
  disconnected_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, phone_number_id)
);

-- A copy of the network's list.
create table templates (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  -- When the last list with this template was requested.
  listed_at timestamptz not null,
  business_account_id text not null,
  -- The network's id. It can have more digits than a JavaScript number can represent.
  network_id text not null,
  name text not null,
  language text not null,
  status text not null,
  category text not null,
  parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
  components jsonb not null,
  primary key (tenant_id, id),
  unique (tenant_id, business_account_id, name, language)
);

-- When the templates of a tenant are next fetched. A worker claims due rows.
create table template_syncs (
  tenant_id bigint primary key references tenants on delete cascade,
  due_at timestamptz not null,
  synced_at timestamptz,
  problem text
);

create index template_syncs_due on template_syncs (due_at);
