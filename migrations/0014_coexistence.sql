-- Numbers that are also in the WhatsApp Business app: messages that staff write there, and earlier ones.

-- Why an outbound message was sent, as far as it is known: `app` for messages from the phone app.
alter table messages add column cause text;

-- The network limits such a number to 20 messages a second.
alter table numbers add column in_app boolean not null default false;

-- Messages from before the number was connected have negative ids in the order of their times, because
-- conversations are ordered by id. No worker walks them, so their outcomes are not counted.
create or replace function record_changed_outcome() returns trigger language plpgsql as $$
declare
  _direction message_direction;
  _before text;
  _after text;
  _code_before integer := failure_code(coalesce(old.status, 'accepting'), old.error);
  _code_after integer := failure_code(new.status, new.error);
begin
  if new.message_id < 0 then return null; end if;
  _direction := (
    select direction from messages where tenant_id = new.tenant_id and id = new.message_id);
  _before := message_outcome(_direction, coalesce(old.status, 'accepting'));
  _after := message_outcome(_direction, new.status);
  if (_before, _code_before) is distinct from (_after, _code_after) then
    insert into message_outcome_changes
      (tenant_id, message_id, day, code, change, outcome, title, at)
    select new.tenant_id, new.message_id, (new.created_at at time zone 'utc')::date,
           code, change, outcome, title, at
    from (values
      (_before, _code_before, -1, null, null),
      (_after, _code_after, 1,
       case when new.status = 'failed' then new.error ->> 'title' end,
       coalesce(new.failed_at, new.created_at))
    ) as both_sides (outcome, code, change, title, at);
  end if;
  return null;
end $$;

create or replace function delete_message_states() returns trigger language plpgsql as $$
begin
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
