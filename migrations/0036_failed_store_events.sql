-- concurrently
-- Lists the failed posts of a store, which are few of many.
create index concurrently if not exists store_events_failed on store_events (tenant_id, store_id, id)
  where state = 'failed';
