-- The outbound webhook of a tenant, and the deliveries of its events with their attempts.

create table webhooks (
  tenant_id bigint primary key references tenants on delete cascade,
  created_at timestamptz not null default now(),
  -- Failures in a row, counted at most once an hour. After 36 hours without one the count starts again,
  -- because two failures with quiet days between them are no sign of a dead receiver. The longest delay
  -- between two attempts is 26 hours.
  failures_in_row integer not null default 0,
  url text not null,
  -- Encrypted with the master key.
  secret bytea not null,
  -- The event types that the receiver wants; null for all, including those of later versions.
  events text[],
  -- What the quota has room for: all wanted events, all but `contact.read`, or none.
  recording text not null default 'all' check (recording in ('all', 'changes', 'none')),
  -- The types that are recorded now; null for all. The statements that record events use this, except for
  -- those of `contact.read`, which use `events` and `recording`.
  recorded_events text[] generated always as (
    case
      when off_since is not null or recording = 'none' then '{}'
      when recording = 'changes' then array_remove(events, 'contact.read')
      else events
    end
  ) stored,
  -- Signs too until `previous_secret_until`.
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The first failure since the last success, and the last one that was counted.
  failing_since timestamptz,
  failed_at timestamptz,
  -- When and why the webhook was switched off; null while it is on.
  off_since timestamptz,
  off_reason text
);

-- A type, because every insert would compile a check constraint of the table again.
create type delivery_state as enum ('waiting', 'delivered', 'failed');

-- Both the queue (the waiting ones) and the log.
create table deliveries (
  tenant_id bigint not null references webhooks on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  state delivery_state not null default 'waiting',
  -- Attempts since the beginning of the schedule, which a redelivery restarts.
  tries integer not null default 0,
  -- All attempts, which is the number of the last one.
  attempts integer not null default 0,
  event text not null,
  -- Sent byte for byte in every attempt.
  body text not null,
  -- The claim's lease. In no index, so that a claim updates no index.
  leased_until timestamptz,
  -- The claiming process: the second key of an advisory lock that it holds while it lives.
  leased_by integer,
  finished_at timestamptz,
  -- Why the last attempt failed.
  reason text,
  primary key (tenant_id, id)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05
);

create index deliveries_due on deliveries (tenant_id, due_at) where state = 'waiting';
-- The log and its pruning, by time. The condition holds for every row, as that of messages_conversation.
create index deliveries_created on deliveries (tenant_id, created_at, id)
  where created_at is not null;
-- The log of changes, without the far more frequent reads.
create index deliveries_changes on deliveries (tenant_id, event, created_at, id)
  where event <> 'contact.read';
create index deliveries_failed on deliveries (tenant_id, id) where state = 'failed';
-- Delivered reads are kept for a shorter time than changes.
create index deliveries_delivered_reads on deliveries (tenant_id, created_at)
  where event = 'contact.read' and state = 'delivered';

-- No plan uses statistics of this, and ANALYZE would decompress 30,000 values.
alter table deliveries alter column body set statistics 0;

create table delivery_attempts (
  tenant_id bigint not null,
  delivery_id bigint not null,
  number integer not null,
  duration_ms integer not null,
  started_at timestamptz not null,
  -- The HTTP status; null without a response.
  status integer,
  -- Why it failed; null for a success.
  reason text,
  -- The first bytes of the response.
  answer text,
  -- When the next attempt was due; null if there was none.
  next_try_at timestamptz,
  primary key (tenant_id, delivery_id, number),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

alter table delivery_attempts alter column answer set statistics 0;

-- Many events of one statement as one row, until a worker creates their deliveries. A request for a list
-- of contacts need not wait for a hundred inserted rows.
create table event_batches (
  tenant_id bigint not null references webhooks on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  event text not null,
  -- A JSON array with the data of each event.
  data text not null,
  primary key (tenant_id, id)
);

-- Rows live for milliseconds, so compressing them would cost more than it saves.
alter table event_batches alter column data set storage external;

-- How much of its quota a tenant's deliveries use, measured in the background (docs/decisions/0026).
create table delivery_usage (
  tenant_id bigint primary key references webhooks on delete cascade,
  -- The bodies of the deliveries up to this id are counted in `kept_bytes`.
  measured_id bigint not null default 0,
  kept_bytes bigint not null default 0,
  -- When counting last started from the first delivery.
  recounted_at timestamptz not null default now(),
  -- An upper bound: every delivery raises it, until the waiting ones are counted again.
  waiting bigint not null default 0,
  -- Where trimming of the log last ended.
  trimmed_id bigint not null default 0,
  -- The `contact.read` events that were dropped while the quota was last full. `dropped_until` is null
  -- while it still is.
  dropped bigint not null default 0,
  dropped_since timestamptz,
  dropped_until timestamptz,
  waiting_counted_at timestamptz,
  -- What fills the quota.
  full_of text check (full_of in ('waiting', 'bytes'))
);
-- The few tenants whose quota is full are looked at every few seconds.
create index delivery_usage_full on delivery_usage (tenant_id) where full_of is not null;
