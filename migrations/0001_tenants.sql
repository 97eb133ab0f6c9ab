-- Tenants, their tokens, and what each token has used.
--
-- Every table of a tenant has tenant_id. Its primary key and foreign keys start with it, so that no row
-- can reference another tenant.

create table tenants (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  plan text not null default 'starter' check (plan in ('starter', 'growth', 'pro', 'enterprise')),
  api_access boolean not null default false,
  -- Whether an unknown phone that writes becomes a contact.
  contacts_from_inbound boolean not null default true,
  created_at timestamptz not null default now()
);

create table tokens (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  -- The dashboard's sends count against a token of their own, whose value nobody has.
  internal boolean not null default false,
  name text not null,
  -- SHA-256 of the value, which is shown once and not stored.
  hash bytea not null,
  hint text not null,
  abilities text[] not null,
  activated_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  seen_in_clear_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, hash)
);

create unique index tokens_internal on tokens (tenant_id) where internal;

-- The requests of a token in its latest minute, and its messages of a day (UTC). One row for both, so
-- that a send updates one row. Requests of the dashboard have token 0, which is not in `tokens`.
create table token_days (
  tenant_id bigint not null references tenants on delete cascade,
  token_id bigint not null,
  day date not null,
  messages integer not null,
  -- How many messages of the last statement were within the limits.
  granted integer not null,
  -- The requests of `minute`.
  requests integer not null default 0,
  -- The messages that the last statement asked for, and the plan's limits that it used; `granted` is
  -- computed from them. A null limit means no limit.
  asked integer not null default 0,
  minute_limit integer,
  day_limit integer,
  -- The last minute with a request.
  minute timestamptz,
  primary key (tenant_id, token_id, day)
) with (fillfactor = 50);

-- The usage of a token on a day (UTC), for the dashboard only; the limits use `token_days`. Each process
-- gathers it and adds it every few seconds.
create table token_usage (
  tenant_id bigint not null,
  token_id bigint not null,
  day date not null,
  requests bigint not null,
  -- Responses with 4xx and with 5xx.
  refusals bigint not null,
  failures bigint not null,
  texts bigint not null,
  media bigint not null,
  templates bigint not null,
  primary key (tenant_id, token_id, day),
  foreign key (tenant_id, token_id) references tokens on delete cascade
);
