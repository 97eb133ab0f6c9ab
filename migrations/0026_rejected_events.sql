-- Events that PostgreSQL rejects when they are published. They are kept apart, so that they hold up no others, until
-- an operator puts them back into event_outbox (docs/operating.md), or for as long as events are kept.
create table rejected_events (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint not null,
  created_at timestamptz not null,
  message_id bigint,
  at timestamptz,
  rejected_at timestamptz not null default now(),
  event text not null,
  data text,
  error text not null,
  primary key (tenant_id, id)
);
