-- concurrently
-- Lists the skipped posts of a store, and those with nothing to do, also if they are few of many.
create index concurrently if not exists store_events_ignored on store_events (tenant_id, store_id, state, id)
  where state in ('skipped', 'nothing_to_do');
