-- A replay copies a post of up to 2 MB, so a tenant may have only so many of them waiting. This is what
-- they are counted by, also beside a store's own posts by the hundred thousand.
create index store_events_waiting_replays on store_events (tenant_id)
  where replay_of is not null and due_at is not null;
