-- concurrently
-- Finds the counts that are too old to keep, without reading those of all stores.
create index concurrently if not exists store_hours_hour on store_hours (hour);
