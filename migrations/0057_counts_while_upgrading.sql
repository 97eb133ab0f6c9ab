-- A process of the previous release that deletes messages because of their age sets nothing, and must not take those of more
-- than 30 days ago off the charts. Those of a deleted contact are taken off because their deletion sets parley.uncounts.

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
  -- Counts are shown for 90 days and kept for 100. Negative ids were never counted.
  where created_at > clock_timestamp()
      - case when current_setting('parley.uncounts', true) = 'on' then interval '95 days' else interval '30 days' end
    and id > 0 and current_setting('parley.keeps_counts', true) is distinct from 'on';
  return null;
end $$;
