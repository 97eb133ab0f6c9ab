-- The statements that make deliveries wake those who deliver: by triggers, a lone create of a contact took 0.01 ms more.
drop trigger notify_deliveries on deliveries;
drop trigger notify_event_batches on event_batches;
drop function notify_deliveries();
drop function notify_event_batches();
