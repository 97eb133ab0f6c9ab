-- The key that tells repeats now names tenant and store itself, so its index has no column in common
-- with the look-up of an event by its id. Where both indexes began with tenant and store, a look-up
-- that was planned while the table was empty took either, and then read every event of the store.

drop index store_events_dedup;
update store_events
set dedup_key = sha256(convert_to(tenant_id || ' ' || store_id || ' ', 'UTF8') || dedup_key);
create unique index store_events_dedup on store_events (dedup_key);
