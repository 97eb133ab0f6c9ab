-- How far the messages of a number, or of a number to one recipient, are ahead of its rate at the network. All
-- processes move it. Unlogged, because it is worth seconds; a crash of the database or a failover empties it.
create unlogged table send_rates (
  tenant_id bigint not null references tenants (id) on delete cascade,
  -- The network's id of the number, or this and the recipient.
  limited text not null,
  ahead_ms double precision not null,
  -- When it was so far ahead. Since then it has come closer as time passed.
  moved_at timestamptz not null,
  primary key (tenant_id, limited)
) with (fillfactor = 50);
