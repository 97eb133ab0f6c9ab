-- A process that stands still, or has no database, for longer than its lease of a key can wake when
-- the key is another run's by now: its message must not be written down any more, and a run whose
-- message is written down must not end as one of which nothing came. Both are decided at the key's row.
alter table idempotency_keys add column written boolean not null default false;

create function note_written_run() returns trigger language plpgsql as $$
begin
  update idempotency_keys set written = true
  where tenant_id = new.tenant_id and run_id = new.run_id and answer is null;
  if not found then
    -- As a failure of its own, which undoes none of the messages that are written down beside it.
    raise exception 'run % of an idempotent request is over', new.run_id
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;

create trigger note_written_run before insert on messages
  for each row when (new.run_id is not null) execute function note_written_run();
