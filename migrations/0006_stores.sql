-- Online stores that post to us, what their posts lead to, and the posts themselves.

create table stores (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  -- The unguessable end of the address that the store posts to.
  webhook_id text not null unique,
  platform text not null check (platform in ('woocommerce', 'shopify', 'custom')),
  name text not null,
  -- Sealed with the master key. A store that has neither is refused, never open.
  secret bytea,
  authentication bytea,
  -- Country of phones that come without one (ISO 3166, two letters).
  country text check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- What a tenant wants done for a topic. A topic without a row has the default of the program.
create table store_topics (
  tenant_id bigint not null,
  store_id bigint not null,
  topic text not null,
  action jsonb not null,
  primary key (tenant_id, store_id, topic),
  foreign key (tenant_id, store_id) references stores on delete cascade
);

-- Every verified post, as it came: the queue of what is to be processed, and the log of what was.
create table store_events (
  tenant_id bigint not null,
  store_id bigint not null,
  id bigint generated always as identity,
  -- Of two posts with the same key the second is a repeat of the first.
  dedup_key bytea not null,
  -- Our name of the topic; null when it is none that we know.
  topic text,
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null default now(),
  replay_of bigint,
  state text not null default 'waiting' check (
    state in ('waiting', 'done', 'nothing_to_do', 'skipped', 'failed')
  ),
  reason text,
  attempts smallint not null default 0,
  processed_at timestamptz,
  -- When it is to be processed (again); null once it is settled. A claimed event is due again when
  -- its lease ends, so that the death of a process loses nothing.
  due_at timestamptz default now(),
  contact_id bigint,
  -- The latest message written down for it, in the same statement as this reference.
  message_id bigint,
  primary key (tenant_id, store_id, id),
  foreign key (tenant_id, store_id) references stores on delete cascade
);

create unique index store_events_dedup on store_events (tenant_id, store_id, dedup_key);
create index store_events_due on store_events (tenant_id, due_at) where due_at is not null;

-- How far we are with each order, product and customer of a store, and with what it tells of each
-- buyer (kind 'buyer', by phone), by the payload's own time.
create table store_resources (
  tenant_id bigint not null,
  store_id bigint not null,
  kind text not null,
  -- As the store writes it: digits beyond what a number can hold.
  resource_id text not null,
  changed_at timestamptz not null,
  deleted boolean not null default false,
  primary key (tenant_id, store_id, kind, resource_id),
  foreign key (tenant_id, store_id) references stores on delete cascade
) with (fillfactor = 80);

-- What happened to the posts of a store, by the hour.
create table store_hours (
  tenant_id bigint not null,
  store_id bigint not null,
  hour timestamptz not null,
  verified integer not null default 0,
  repeated integer not null default 0,
  refused integer not null default 0,
  pings integer not null default 0,
  done integer not null default 0,
  nothing_to_do integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  messages_sent integer not null default 0,
  last_seen_at timestamptz,
  last_refusal text,
  primary key (tenant_id, store_id, hour),
  foreign key (tenant_id, store_id) references stores on delete cascade
) with (fillfactor = 50);
