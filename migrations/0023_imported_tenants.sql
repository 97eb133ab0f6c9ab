-- A tenant that is imported from a file brings rows whose effects happened before. The import says so with
-- `set local parley.importing = 'on'`. It cannot switch off the triggers, which other tenants need meanwhile.

create or replace function mark_message_stored() returns trigger language plpgsql as $$
begin
  if current_setting('parley.importing', true) = 'on' then return new; end if;
  update idempotency_keys set written = true
  where tenant_id = new.tenant_id and run_id = new.run_id and answer is null;
  if not found then
    -- The batch is then retried message by message, so only this one fails.
    raise exception 'attempt % of an idempotent request is over', new.run_id
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;

create or replace function record_changed_outcome() returns trigger language plpgsql as $$
declare
  _direction message_direction;
  _before text;
  _after text;
  _code_before integer := failure_code(coalesce(old.status, 'accepting'), old.error);
  _code_after integer := failure_code(new.status, new.error);
begin
  if new.message_id < 0 or current_setting('parley.importing', true) = 'on' then return null; end if;
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
