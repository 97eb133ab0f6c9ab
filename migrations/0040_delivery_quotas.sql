-- How much of a tenant's deliveries is kept, measured in the background (docs/decisions/0026).
create table delivery_usage (
  tenant_id bigint primary key references webhooks on delete cascade,
  -- The bodies of the deliveries up to this id are counted in `kept_bytes`.
  measured_id bigint not null default 0,
  kept_bytes bigint not null default 0,
  -- When the counting last began at the first delivery.
  recounted_at timestamptz not null default now(),
  -- At least as many as there are: it grows by every delivery, until they are counted again.
  waiting bigint not null default 0,
  waiting_counted_at timestamptz,
  -- Where the last trimming of the log ended.
  trimmed_id bigint not null default 0,
  -- What fills the quota.
  full_of text check (full_of in ('waiting', 'bytes')),
  -- The `contact.read` events that were not recorded because the quota was full, the last time it was. There
  -- is no end while it is.
  dropped bigint not null default 0,
  dropped_since timestamptz,
  dropped_until timestamptz
);

-- What the quota leaves room for, of the events that the receiver wants: all of them, all but
-- `contact.read`, or none.
alter table webhooks
  add column recording text not null default 'all' check (recording in ('all', 'changes', 'none'));

-- What is recorded now. The statements that make events read this and nothing else.
alter table webhooks
  add column recorded_events text[] not null generated always as (
    case
      when off_since is not null or recording = 'none' then '{}'
      when recording = 'changes' then array_remove(events, 'contact.read')
      else events
    end
  ) stored;

-- Reads that were delivered are kept for a shorter time than changes.
create index deliveries_delivered_reads on deliveries (tenant_id, created_at)
  where event = 'contact.read' and state = 'delivered';
