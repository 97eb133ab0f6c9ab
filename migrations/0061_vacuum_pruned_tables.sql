-- As many rows are deleted for their age as are added. With the usual 20 % of dead rows, a vacuum of a large table would
-- begin days later and go through all of its indexes at once.
alter table delivery_attempts set (autovacuum_vacuum_scale_factor = 0.02);
alter table store_events set (autovacuum_vacuum_scale_factor = 0.02);
alter table events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table api_requests set (autovacuum_vacuum_scale_factor = 0.02);
alter table bot_answers set (autovacuum_vacuum_scale_factor = 0.02);
alter table message_outcome_changes set (autovacuum_vacuum_scale_factor = 0.02);
