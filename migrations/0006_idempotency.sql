-- Requests with an Idempotency-Key (docs/decisions/0002).

-- The primary key decides which request executes; the others wait for it.
create table idempotency_keys (
  tenant_id bigint not null,
  token_id bigint not null,
  -- The attempt, which its message refers to. This is how the outcome is found after a process died.
  run_id bigint not null,
  created_at timestamptz not null,
  -- Until then no other request can claim the key: a lease during the attempt, a day after its success.
  held_until timestamptz not null,
  -- The attempt certainly had no effect, so the next request starts a new one.
  without_effect boolean not null default false,
  -- The attempt has stored its message.
  written boolean not null default false,
  -- The message of the attempt has been deleted, and may have been sent.
  message_gone boolean not null default false,
  key text not null,
  -- Keyed hash of method, path and body. The same key with another request is an error.
  fingerprint bytea not null,
  -- The response; null during the attempt, and if its process died.
  answer json,
  primary key (tenant_id, token_id, key),
  foreign key (tenant_id, token_id) references tokens on delete cascade
);

create unique index idempotency_keys_run on idempotency_keys (tenant_id, run_id);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create sequence idempotency_runs;

-- A process that is suspended, or loses the database, for longer than its lease can wake up after another
-- attempt has claimed the key. Then it must not store a message. And an attempt that has stored one must
-- not end as one without effect. The lock of the key's row decides both.
create function mark_message_stored() returns trigger language plpgsql as $$
begin
  update idempotency_keys set written = true
  where tenant_id = new.tenant_id and run_id = new.run_id and answer is null;
  if not found then
    -- The batch is then retried message by message, so only this one fails.
    raise exception 'attempt % of an idempotent request is over', new.run_id
      using errcode = 'serialization_failure';
  end if;
  return new;
end $$;

create trigger mark_message_stored before insert on messages
  for each row when (new.run_id is not null) execute function mark_message_stored();

-- A message can be deleted with its contact before the request is retried. The key records that it
-- existed, because the retry would otherwise find nothing and send it again.
create function mark_message_deleted() returns trigger language plpgsql as $$
begin
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

create trigger mark_message_deleted after delete on messages
  referencing old table as deleted for each statement execute function mark_message_deleted();
