-- The outbound webhook of a tenant, the deliveries of its events, and every attempt of them.

create table webhooks (
  tenant_id bigint primary key references tenants on delete cascade,
  url text not null,
  -- The event types that the receiver wants.
  events text[] not null,
  -- Sealed with the master key. The one before signs too until its time is up.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- When and why nothing is recorded or sent at present; null while the webhook is on.
  off_since timestamptz,
  off_reason text,
  created_at timestamptz not null default now()
);

-- Queue and log in one: the waiting ones are the queue. `body` is what is sent, byte for byte, on
-- every try.
create table deliveries (
  tenant_id bigint not null references webhooks on delete cascade,
  id bigint generated always as identity,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- Tries of this round of the schedule; a redelivery begins a new round.
  tries integer not null default 0,
  -- Attempts in all: the number of the latest.
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- A process has it in hand until then. In no index, so that claiming rewrites none.
  leased_until timestamptz,
  -- Which process: the second key of an advisory lock that it holds for as long as it lives.
  leased_by integer,
  -- What went wrong at the latest attempt.
  reason text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (tenant_id, id)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05
);

create index deliveries_due on deliveries (tenant_id, due_at) where state = 'waiting';
-- The log by time, for looking back and for pruning.
create index deliveries_created on deliveries (tenant_id, created_at, id);
-- Changes among the far more frequent reads.
create index deliveries_changes on deliveries (tenant_id, event, created_at, id)
  where event <> 'contact.read';
create index deliveries_failed on deliveries (tenant_id, id) where state = 'failed';

create table delivery_attempts (
  tenant_id bigint not null,
  delivery_id bigint not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- The HTTP status of the answer; null when there was none.
  status integer,
  -- Why it did not count as a success; null for a success.
  reason text,
  -- The first bytes of the answer.
  answer text,
  -- When the next try was due; null when there was none.
  next_try_at timestamptz,
  primary key (tenant_id, delivery_id, number),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

-- Events of one request that are many, as one row until a process that delivers makes deliveries of
-- them: whoever asks for a list of contacts does not wait for a hundred rows to be written.
create table event_batches (
  tenant_id bigint not null references webhooks on delete cascade,
  id bigint generated always as identity,
  event text not null,
  -- The data of each event, a JSON array as text.
  data text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- It lives for milliseconds: compressing it would cost more than it saves.
alter table event_batches alter column data set storage external;

-- Wakes the processes that deliver, when the transaction commits. A trigger, so that no statement
-- that records events can forget it.
create function notify_deliveries() returns trigger language plpgsql as $$
begin
  perform pg_notify('deliveries', tenant_id::text)
  from (select distinct tenant_id from new_deliveries) as tenants;
  return null;
end $$;

create trigger notify_deliveries after insert on deliveries
  referencing new table as new_deliveries
  for each statement execute function notify_deliveries();

create function notify_event_batches() returns trigger language plpgsql as $$
begin
  perform pg_notify('deliveries', 'batch');
  return null;
end $$;

create trigger notify_event_batches after insert on event_batches
  for each statement execute function notify_event_batches();
