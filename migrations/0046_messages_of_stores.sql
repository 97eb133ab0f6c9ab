-- For rows of the kind `told`, which record the last message of a topic about an order or another record of a store. The
-- fingerprint is the hash of the message's text, or the shop's own key for a message about a creation. Both columns are null
-- in rows of earlier releases.
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
