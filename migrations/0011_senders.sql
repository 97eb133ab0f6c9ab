-- Which of a tenant's numbers sends.

-- The number from which a tenant sends to people with whom it has no messages. At most one of a tenant; if there
-- is none, such as without the simulator that has it, the oldest real number takes its place.
alter table numbers add column is_default boolean not null default false;
create unique index numbers_default on numbers (tenant_id) where is_default;

-- Until now the oldest connected number sent everything. A real one comes before those of the simulator.
update numbers set is_default = true
where (tenant_id, id) in (
  select distinct on (tenant_id) tenant_id, id from numbers
  where disconnected_at is null
  order by tenant_id, simulator, id);

-- Whether the number's marketing templates go to the network's endpoint for them.
alter table numbers add column marketing_endpoint boolean not null default false;

-- The number that sends the messages of a store. Null for the rule that applies to every send.
alter table stores add column number_id bigint,
  add foreign key (tenant_id, number_id) references numbers on delete set null (number_id);
