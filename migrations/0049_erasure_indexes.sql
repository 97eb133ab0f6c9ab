-- concurrently
-- Finds the posts about the buyer who became a contact.
create index concurrently if not exists store_events_contact on store_events (tenant_id, contact_id)
  where contact_id is not null;
-- Finds the merges of a conversation.
create index concurrently if not exists identity_merges_person on identity_merges (tenant_id, person);
create index concurrently if not exists former_phones_changed on former_phones (changed_at);
