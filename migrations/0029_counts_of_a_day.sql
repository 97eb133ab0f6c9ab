-- The requests of a token's minute are counted in the row of its day, beside its messages: a send raises
-- one row in place of two. What is counted for members has token 0, which is in no table of tokens.
alter table token_days
  drop constraint token_days_tenant_id_token_id_fkey,
  add foreign key (tenant_id) references tenants on delete cascade,
  -- The minute that was counted in last, and its requests.
  add column minute timestamptz,
  add column requests integer not null default 0,
  -- What the statement that wrote the row last asked for, and the plan's limits as it knew them, from which
  -- `granted` follows; null is no limit.
  add column asked integer not null default 0,
  add column minute_limit integer;
alter table token_days rename column quota to day_limit;

drop function write_down_messages(
  timestamptz, bigint[], bigint[], integer[], integer[], integer[], integer[], bigint[], text[], text[],
  jsonb[], bigint[]);
drop function raise_minute(bigint, bigint, integer, timestamptz);
drop function raise_minutes(bigint[], bigint[], integer[], timestamptz);
drop function refuse_over_limit();
drop table token_minutes;
