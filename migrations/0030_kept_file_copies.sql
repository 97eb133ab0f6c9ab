-- Tells apart the copies of one file that several cells have in one bucket, so that each cell removes its own. A copy that
-- was downloaded from the network has 0; one that came with its tenant has a random number.
alter table kept_files add column copy_id integer not null default 0;
