-- What became of messages, by the day, so that nobody counts a million of them for a picture; and
-- changes of many contacts at once.

create function message_outcome(direction text, status text) returns text
  language sql immutable parallel safe
  return case
    when direction = 'in' then 'received'
    when status in ('delivered', 'read') then 'delivered'
    when status in ('sent', 'accepting') then 'on_the_way'
    else status end;

-- The network's code of a failure; -1 for none, so that it can be part of a key.
create function failure_code(status text, error jsonb) returns integer
  language sql immutable parallel safe
  return case when status = 'failed' then coalesce((error ->> 'code')::integer, -1) else -1 end;

-- The messages up to `message_roll_up.rolled_up_to`, counted by a worker.
create table message_outcomes (
  tenant_id bigint not null references tenants on delete cascade,
  -- UTC.
  day date not null,
  outcome text not null,
  code integer not null,
  messages bigint not null,
  title text,
  last_at timestamptz,
  primary key (tenant_id, day, outcome, code)
) with (fillfactor = 50);

-- One row. Messages after `rolled_up_to` are counted when somebody looks. To go on, the worker notes
-- the newest id, lets it settle, notes which transactions may still be under way, and waits for
-- those: then every message up to that id is there for good, and whatever changes it from now on
-- leaves a row in `message_outcome_changes`.
create table message_roll_up (
  single boolean primary key default true check (single),
  rolled_up_to bigint not null default 0,
  noted_id bigint not null default 0,
  noted_at timestamptz not null default now(),
  -- Transactions from here on are known to have begun after the note settled.
  horizon xid8
);
insert into message_roll_up default values;

-- What happened to messages since they may have been counted, until the worker adds it.
create table message_outcome_changes (
  tenant_id bigint not null,
  message_id bigint not null,
  day date not null,
  outcome text not null,
  code integer not null,
  -- 1 more or 1 less.
  change smallint not null,
  title text,
  at timestamptz
);
create index message_outcome_changes_message on message_outcome_changes (tenant_id, message_id);

create function note_changed_outcome() returns trigger language plpgsql as $$
begin
  insert into message_outcome_changes
  select new.tenant_id, new.id, (new.created_at at time zone 'utc')::date,
         outcome, code, change, title, at
  from (values
    (message_outcome(old.direction, old.status), failure_code(old.status, old.error), -1,
     null, null),
    (message_outcome(new.direction, new.status), failure_code(new.status, new.error), 1,
     case when new.status = 'failed' then new.error ->> 'title' end,
     coalesce(new.failed_at, new.created_at))
  ) as both_sides (outcome, code, change, title, at)
  where (message_outcome(old.direction, old.status), failure_code(old.status, old.error))
    is distinct from (message_outcome(new.direction, new.status), failure_code(new.status, new.error));
  return null;
end $$;

-- A send is completed, and most callbacks come, within the minute in which nothing is counted yet:
-- for them this is one comparison.
create trigger note_changed_outcome after update of status, error on messages
  for each row when (new.created_at < clock_timestamp() - interval '1 minute')
  execute function note_changed_outcome();

create function note_gone_outcomes() returns trigger language plpgsql as $$
begin
  insert into message_outcome_changes
  select tenant_id, id, (created_at at time zone 'utc')::date, message_outcome(direction, status),
         failure_code(status, error), -1, null, null
  from gone
  -- Older days are not kept.
  where created_at > clock_timestamp() - interval '30 days';
  return null;
end $$;

create trigger note_gone_outcomes after delete on messages
  referencing old table as gone for each statement execute function note_gone_outcomes();

-- A change of all contacts that pass a filter. A worker walks the contacts by id, some at a time;
-- how far it is commits together with what it did.
create table contact_bulk_changes (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  filter jsonb not null,
  -- {"delete": true}, or the labels to be given.
  change jsonb not null,
  state text not null default 'running' check (state in ('running', 'done', 'stopped', 'failed')),
  -- Why it failed, for people.
  problem text,
  -- Contacts that came later are none of its business.
  up_to_id bigint not null,
  after_id bigint not null default 0,
  -- The tenant's contacts when it began, how many of them were looked at, and how many changed.
  contacts bigint not null,
  looked_at bigint not null default 0,
  changed bigint not null default 0,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (tenant_id, id)
);

create unique index contact_bulk_changes_running on contact_bulk_changes (tenant_id)
  where state = 'running';
