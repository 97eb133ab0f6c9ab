-- concurrently
-- The queue of each store, so that the posts of a paused one are not read by every claim. store_events_due, which has the
-- queue of each tenant, is for the release before.
create index concurrently if not exists store_events_due_of_store
  on store_events (tenant_id, store_id, due_at) where due_at is not null;
