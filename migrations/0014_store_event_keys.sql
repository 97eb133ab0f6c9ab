-- A look-up of an event by its id that was planned while the table was empty took this index or the
-- primary key, which begin alike, and with this one it then read every event of the store. It says
-- nothing of the key that tells repeats, so it cannot take an index of rows with one; all have one.
drop index store_events_dedup;
create unique index store_events_dedup on store_events (tenant_id, store_id, dedup_key)
  where dedup_key is not null;
