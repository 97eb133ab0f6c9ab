-- Online stores, their posts, and what was done with them.

create table stores (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  -- The random end of the URL that the store posts to.
  webhook_id text not null unique,
  -- Not checked here: the program has the list, so a new platform needs no migration.
  platform text not null,
  name text not null,
  -- Encrypted with the master key. The posts of a store with neither are rejected.
  secret bytea,
  authentication bytea,
  -- The country of phones without a country code (ISO 3166, two letters).
  country text check (country ~ '^[A-Z]{2}$'),
  primary key (tenant_id, id)
);

-- The action that a tenant has set for a topic. A topic without a row has the program's default.
create table store_topics (
  tenant_id bigint not null,
  store_id bigint not null,
  topic text not null,
  action jsonb not null,
  primary key (tenant_id, store_id, topic),
  foreign key (tenant_id, store_id) references stores on delete cascade
);

-- Every verified post, unchanged. Both the queue (those with `due_at`) and the log.
create table store_events (
  tenant_id bigint not null,
  store_id bigint not null,
  id bigint generated always as identity,
  received_at timestamptz not null default now(),
  attempts smallint not null default 0,
  state text not null default 'waiting' check (
    state in ('waiting', 'done', 'nothing_to_do', 'skipped', 'failed')
  ),
  -- A second post with the same key is a repeat.
  dedup_key bytea not null,
  headers jsonb not null,
  body bytea not null,
  -- Null if we do not know the store's topic.
  topic text,
  -- The original event of a replay.
  replay_of bigint,
  -- When it is processed next; null once it is settled. A claim moves it to the end of its lease, so
  -- that another process takes over if this one dies.
  due_at timestamptz default now(),
  processed_at timestamptz,
  contact_id bigint,
  -- The last message that was stored for it, set in the same transaction.
  message_id bigint,
  reason text,
  primary key (tenant_id, store_id, id),
  foreign key (tenant_id, store_id) references stores on delete cascade
);

-- The condition holds for every row, as that of messages_conversation.
create unique index store_events_dedup on store_events (tenant_id, store_id, dedup_key)
  where dedup_key is not null;
create index store_events_due on store_events (tenant_id, due_at) where due_at is not null;
-- Counts the waiting replays of a tenant, which are limited because each copies up to 2 MB. Also fast
-- beside 100,000 waiting posts.
create index store_events_waiting_replays on store_events (tenant_id)
  where replay_of is not null and due_at is not null;

-- Stores post in floods, and every statement uses tenant and store in the order of an index, so small
-- samples are enough, and none of the large columns.
alter table store_events
  alter column dedup_key set statistics 0,
  alter column headers set statistics 0,
  alter column body set statistics 0,
  alter column tenant_id set statistics 20,
  alter column store_id set statistics 20,
  alter column id set statistics 20,
  alter column topic set statistics 20,
  alter column received_at set statistics 20,
  alter column replay_of set statistics 20,
  alter column state set statistics 20,
  alter column reason set statistics 20,
  alter column attempts set statistics 20,
  alter column processed_at set statistics 20,
  alter column due_at set statistics 20,
  alter column contact_id set statistics 20,
  alter column message_id set statistics 20;

-- The newest known state of each order, product and customer of a store, by the time in its payload. The
-- kind `buyer` has what it reported about each buyer, by phone; the kind `told` has the messages that
-- buyers already got.
create table store_resources (
  tenant_id bigint not null,
  store_id bigint not null,
  kind text not null,
  -- As the store writes it. It can have more digits than a JavaScript number can represent.
  resource_id text not null,
  changed_at timestamptz not null,
  deleted boolean not null default false,
  primary key (tenant_id, store_id, kind, resource_id),
  foreign key (tenant_id, store_id) references stores on delete cascade
) with (fillfactor = 80);

-- The outcomes of a store's posts by hour.
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
