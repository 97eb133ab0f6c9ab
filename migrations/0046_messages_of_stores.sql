-- The last message of each topic about a resource of a store, on the row of the kind `told`. The fingerprint is the hash
-- of its text, or for a creation the shop's own key of the record. Null in rows of earlier releases.
alter table store_resources
  add column fingerprint text,
  add column message_id bigint;

-- The number of an order, or the id of another resource, and the buyer's phone, to find an event by. Null until it is
-- processed, and for a post that could not be read.
alter table store_events
  add column resource_number text,
  add column phone text,
  -- A replay of an event that has sent nothing, so that it sends nothing that another event has sent since.
  add column only_unsent boolean;
alter table store_events
  alter column resource_number set statistics 20,
  alter column phone set statistics 20,
  alter column only_unsent set statistics 20;
