-- concurrently
-- Finds the states of resources that are too old to keep, without reading those of all stores.
create index concurrently if not exists store_resources_changed on store_resources (changed_at);
