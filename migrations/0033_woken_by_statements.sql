-- The statements that make deliveries wake those who deliver: a trigger took a tenth of what an event costs.
drop trigger notify_deliveries on deliveries;
drop trigger notify_event_batches on event_batches;
drop function notify_deliveries();
drop function notify_event_batches();
