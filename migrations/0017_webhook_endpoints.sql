-- Several webhook endpoints of a tenant. The first one has the id 0 and the name `default`, so no row of
-- `deliveries` is rewritten.

alter table tenants
  -- The largest id of an endpoint so far: ids of removed ones are not reused.
  add column last_webhook_id smallint not null default 0;

alter table deliveries drop constraint deliveries_tenant_id_fkey;
alter table event_batches drop constraint event_batches_tenant_id_fkey;
alter table delivery_usage drop constraint delivery_usage_tenant_id_fkey;

alter table webhooks
  drop constraint webhooks_pkey,
  add column id smallint not null default 0,
  add column name text not null default 'default',
  -- Filters of message events; null for all. Numbers by their id, types of messages, and what sent them.
  add column number_ids bigint[],
  add column kinds text[],
  add column causes text[],
  -- Deliveries of one person wait for each other.
  add column ordered boolean not null default false,
  -- Inbound messages of one conversation within so many seconds become one event; null for one event each.
  add column gather_seconds smallint check (gather_seconds between 1 and 60),
  -- Additional headers of every delivery: a JSON object, encrypted with the master key.
  add column headers bytea,
  -- While paused, events are recorded but not sent.
  add column paused_since timestamptz,
  -- What fills the endpoint's share of the quota.
  add column full_of text check (full_of in ('waiting', 'bytes')),
  -- The `contact.read` events that were dropped while the quota was last full. `dropped_until` is null
  -- while it still is.
  add column dropped bigint not null default 0,
  add column dropped_since timestamptz,
  add column dropped_until timestamptz,
  add primary key (tenant_id, id);

-- The condition holds for every row. It excludes this index from lookups by tenant and id alone.
create unique index webhooks_name on webhooks (tenant_id, lower(name)) where name > '';

update webhooks set
  full_of = usage.full_of,
  dropped = usage.dropped,
  dropped_since = usage.dropped_since,
  dropped_until = usage.dropped_until
from delivery_usage as usage
where usage.tenant_id = webhooks.tenant_id
  and (usage.full_of is not null or usage.dropped_since is not null);

alter table delivery_usage
  drop column full_of,
  drop column dropped,
  drop column dropped_since,
  drop column dropped_until,
  add foreign key (tenant_id) references tenants on delete cascade;

-- The few endpoints whose quota is full are looked at every few seconds.
create index webhooks_full on webhooks (tenant_id) where full_of is not null;

-- All deliveries of one event have the same number, which is part of their `webhook-id`.
create sequence event_ids;

alter table deliveries
  add column webhook_id smallint not null default 0,
  -- Null for test events, and for events of earlier versions.
  add column event_id bigint,
  -- Whose conversation or contact the event is about.
  add column person text,
  -- Waits for earlier deliveries of the person at this endpoint: it is due at `infinity` until then.
  add column in_order boolean not null default false,
  -- Not validated, because that would read every row. The constraint that it replaces was valid.
  add foreign key (tenant_id, webhook_id) references webhooks on delete cascade not valid;

alter table event_batches
  -- The endpoints that wanted the events when they were recorded.
  add column webhook_ids smallint[] not null default '{0}',
  add foreign key (tenant_id) references tenants on delete cascade;

-- Every endpoint has its own queue and log.
drop index deliveries_due;
create index deliveries_due on deliveries (tenant_id, webhook_id, due_at) where state = 'waiting';
drop index deliveries_created;
create index deliveries_created on deliveries (tenant_id, webhook_id, created_at, id)
  where created_at is not null;
drop index deliveries_changes;
create index deliveries_changes on deliveries (tenant_id, webhook_id, event, created_at, id)
  where event <> 'contact.read';
drop index deliveries_failed;
create index deliveries_failed on deliveries (tenant_id, webhook_id, id) where state = 'failed';
drop index deliveries_delivered_reads;
create index deliveries_delivered_reads on deliveries (tenant_id, webhook_id, created_at)
  where event = 'contact.read' and state = 'delivered';

-- The log of one person.
create index deliveries_person on deliveries (tenant_id, webhook_id, person, created_at, id)
  where person is not null;
-- The queue of each person at ordered endpoints. What is due comes first, then what waits for it.
create index deliveries_in_order on deliveries (tenant_id, webhook_id, person, due_at, id)
  where in_order and state = 'waiting';
