-- concurrently
-- Finds the states of buyers that are too old to keep. Those of orders are kept for longer.
create index concurrently if not exists store_resources_buyers on store_resources (changed_at) where kind = 'buyer';
-- Find the posts about an order or a person, and the replays of a post.
create index concurrently if not exists store_events_resource on store_events (tenant_id, store_id, resource_number)
  where resource_number is not null;
create index concurrently if not exists store_events_phone on store_events (tenant_id, store_id, phone)
  where phone is not null;
create index concurrently if not exists store_events_replays on store_events (tenant_id, store_id, replay_of)
  where replay_of is not null;
