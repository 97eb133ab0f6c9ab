-- Keys live for a day, so that as many are deleted as are added. With the usual 20 % of dead rows, a vacuum would come too
-- late.
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.02);
