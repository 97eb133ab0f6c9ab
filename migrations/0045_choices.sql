-- A webhook that is to get all events also gets the types of later versions: null in `events` stands for all.
-- Until now the list of the types of its day stood there.
alter table webhooks drop column recorded_events;
alter table webhooks alter column events drop not null;

-- The types that are recorded now; null for all. The statements that make events read this and nothing
-- else, apart from those of `contact.read`, which read `events` and `recording`.
alter table webhooks
  add column recorded_events text[] generated always as (
    case
      when off_since is not null or recording = 'none' then '{}'
      when recording = 'changes' then array_remove(events, 'contact.read')
      else events
    end
  ) stored;

update webhooks set events = null
where events @> array[
  'contact.created', 'contact.read', 'contact.updated', 'contact.deleted',
  'status.created', 'status.updated', 'status.deleted',
  'source.created', 'source.updated', 'source.deleted'
];

-- The program has the list of store platforms, so a new one needs no migration.
alter table stores drop constraint stores_platform_check;
