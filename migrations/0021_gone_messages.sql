-- A message of an idempotent request can go with its contact before the request comes again. That it
-- was there stays with the key, or the request would find nothing and send it a second time. By a
-- trigger, so that it is noted in the transaction that removes the message, whatever removes it.
alter table idempotency_keys add column message_gone boolean not null default false;

create unique index idempotency_keys_run on idempotency_keys (tenant_id, run_id);

create function note_gone_runs() returns trigger language plpgsql as $$
begin
  update idempotency_keys as kept set message_gone = true
  from (
    select kept.tenant_id, kept.token_id, kept.key
    from gone join idempotency_keys kept
      on kept.tenant_id = gone.tenant_id and kept.run_id = gone.run_id
    -- What the network refused may be sent again.
    where gone.status <> 'failed' or gone.network_id is not null
    -- In the order in which every statement locks them.
    order by tenant_id, token_id, key for no key update of kept
  ) as run
  where kept.tenant_id = run.tenant_id and kept.token_id = run.token_id and kept.key = run.key;
  return null;
end $$;

create trigger note_gone_runs after delete on messages
  referencing old table as gone for each statement execute function note_gone_runs();
