-- What the state of a delivery may be is said by a type: the check that said it was read and compiled anew by
-- every event.
create type delivery_state as enum ('waiting', 'delivered', 'failed');

-- Both compare with text.
drop index deliveries_due;
drop index deliveries_failed;

alter table deliveries
  drop constraint deliveries_state_check,
  alter state drop default,
  alter state type delivery_state using state::delivery_state,
  alter state set default 'waiting';

create index deliveries_due on deliveries (tenant_id, due_at) where state = 'waiting';
create index deliveries_failed on deliveries (tenant_id, id) where state = 'failed';
