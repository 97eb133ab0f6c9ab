-- Tenants that are on their way to another cell, in the databases of both. `parley tenant move` goes from state to state,
-- and can go on after it was ended in any of them.
--
-- In the cell that has the tenant:
-- - copying: everything goes on, while rows that are already final are copied
-- - held: writes are refused and no work is claimed, so that the copy is the last state
-- - cancelling: the copy is being deleted
-- - moved: the other cell has the tenant; only an old copy is left here
-- In the other cell:
-- - arriving: only the row of the tenant is there, so that every process knows before the copy that it is not used yet
-- - arrived: the copy is complete, and is not used yet
create table tenant_moves (
  tenant_id bigint primary key references tenants on delete cascade,
  -- The same in both cells, and the id of the advisory lock by which a process shows that it holds the tenant.
  id integer not null,
  state text not null check (state in ('copying', 'held', 'cancelling', 'moved', 'arriving', 'arrived')),
  other_cell text not null,
  held_at timestamptz,
  changed_at timestamptz not null default now()
);

-- The rows that depend on deleted messages were deleted where they come from, so the copy deletes them itself.

create or replace function delete_message_states() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return null; end if;
  with gone as (
    delete from message_states using deleted
    where message_states.tenant_id = deleted.tenant_id
      and message_states.message_id = deleted.id
    returning message_states.tenant_id, message_id, status, error
  )
  insert into message_outcome_changes (tenant_id, message_id, day, code, change, outcome)
  select deleted.tenant_id, id, (created_at at time zone 'utc')::date,
         failure_code(coalesce(status, 'accepting'), error), -1,
         message_outcome(direction, coalesce(status, 'accepting'))
  from deleted
  left join gone on gone.tenant_id = deleted.tenant_id and gone.message_id = deleted.id
  -- The counts of earlier days are deleted anyway, and negative ids were never counted.
  where created_at > clock_timestamp() - interval '30 days' and id > 0;
  return null;
end $$;

create or replace function mark_message_deleted() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return null; end if;
  update idempotency_keys as stored set message_gone = true
  from (
    select stored.tenant_id, stored.token_id, stored.key
    from deleted
    join idempotency_keys stored
      on stored.tenant_id = deleted.tenant_id and stored.run_id = deleted.run_id
    left join message_states
      on message_states.tenant_id = deleted.tenant_id and message_states.message_id = deleted.id
    -- A message that the network refused may be sent again.
    where message_states.status is distinct from 'failed' or message_states.network_id is not null
    -- All statements lock keys in this order.
    order by tenant_id, token_id, key for no key update of stored
  ) as affected
  where stored.tenant_id = affected.tenant_id and stored.token_id = affected.token_id
    and stored.key = affected.key;
  return null;
end $$;
