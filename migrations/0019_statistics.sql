-- No condition is about these columns, and no plan uses what is known of this index: what it is asked
-- for is not known before a search runs. Yet whenever a table had grown by a tenth, 30,000 values of
-- each were unpacked and sorted, or made anew, beside everybody's requests.
alter table messages alter column content set statistics 0, alter column error set statistics 0;
alter table deliveries alter column body set statistics 0;
alter table delivery_attempts alter column answer set statistics 0;
alter table search_texts alter column text set statistics 0;
alter index search_texts_grams alter column 1 set statistics 0;

-- Stores come in floods, and every look at their events is by tenant or store in the order of an index,
-- so a sample of a fifth says enough.
alter table store_events
  alter column dedup_key set statistics 0,
  alter column headers set statistics 0,
  alter column body set statistics 0,
  alter column tenant_id set statistics 20,
  alter column store_id set statistics 20,
  alter column id set statistics 20,
  alter column topic set statistics 20,
  alter column received_at set statistics 20,
  alter column replay_of set statistics 20,
  alter column state set statistics 20,
  alter column reason set statistics 20,
  alter column attempts set statistics 20,
  alter column processed_at set statistics 20,
  alter column due_at set statistics 20,
  alter column contact_id set statistics 20,
  alter column message_id set statistics 20;
