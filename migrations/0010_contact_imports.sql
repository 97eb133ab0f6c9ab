-- Imports of contacts that were started in the dashboard, so that every process can tell how far
-- one is, and whoever started it finds the report later.

create table contact_imports (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  filename text not null,
  bytes bigint not null,
  bytes_read bigint not null default 0,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- Why it failed, for people.
  problem text,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  -- The refused rows with their reasons, as CSV; the first ones when there are very many.
  report text,
  started_at timestamptz not null default now(),
  -- A running import says so every second; one that is silent was cut off.
  heard_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create unique index contact_imports_running on contact_imports (tenant_id) where state = 'running';
