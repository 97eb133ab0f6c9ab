-- Events of messages, templates and numbers, and the log of events that programs read.

-- The numbers of events. An event has the same one at every endpoint and in the log.
create sequence if not exists event_ids;

-- How far a message had got before its last change of state. A statement that stores a state knows by this which
-- states are new, also if another one changed the row in between.
alter table message_states add column earlier_status message_status;

-- Events between the transaction that made them and the publisher, for milliseconds. A message event is only a
-- reference: the publisher reads the message. No foreign key, which a send would pay for.
create table event_outbox (
  tenant_id bigint not null,
  id bigint not null default nextval('event_ids'),
  created_at timestamptz not null default now(),
  message_id bigint,
  -- When the message reached the state.
  at timestamptz,
  event text not null,
  -- A JSON object, for events that are not about a message.
  data text,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Rows live for milliseconds, so compressing them would cost more than it saves.
alter table event_outbox alter column data set storage external;

-- The number of events of each conversation, which is `sequence` of its newest one. Only the publisher changes it.
create table conversation_sequences (
  tenant_id bigint not null references tenants on delete cascade,
  last bigint not null,
  person text not null,
  primary key (tenant_id, person)
) with (fillfactor = 80);

-- The order of the log. Only the publisher takes positions, and one transaction at a time, so that they become
-- visible in their order and a reader misses none.
create sequence event_positions;

-- Tenants with a log: those with a token that may read it.
create table event_logs (
  tenant_id bigint primary key references tenants on delete cascade,
  -- The log begins after this position. Earlier events were deleted, or happened before there was a log.
  begins_after bigint not null,
  -- Of the data of its events.
  kept_bytes bigint not null default 0
) with (fillfactor = 50);

create table events (
  tenant_id bigint not null references tenants on delete cascade,
  position bigint not null,
  id bigint not null,
  created_at timestamptz not null,
  event text not null,
  -- A JSON object.
  data text not null,
  primary key (tenant_id, position)
);

alter table events alter column data set statistics 0;

-- Inbound messages for endpoints that get those of a conversation together, until they are due.
create table gathered_messages (
  tenant_id bigint not null,
  -- That of the message's own event.
  event_id bigint not null,
  -- Set by the first message of a conversation, for all that follow.
  due_at timestamptz not null,
  webhook_id smallint not null,
  person text not null,
  -- The record as JSON.
  data text not null,
  primary key (tenant_id, webhook_id, person, event_id),
  foreign key (tenant_id, webhook_id) references webhooks on delete cascade
);
create index gathered_messages_due on gathered_messages (due_at);

-- The state of a number that was last compared, to find changes. Null until the first time.
alter table numbers add column known_state text;
