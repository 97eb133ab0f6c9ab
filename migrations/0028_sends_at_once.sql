-- Sends are counted, written down and completed by one plain statement, as if their tokens allowed all of
-- them. Where one does not, the statement gives itself up by this error and nothing of it has happened;
-- `write_down_messages`, which can refuse some of a batch, then takes its place.
create function refuse_over_limit() returns integer language plpgsql as $$
begin
  raise exception 'a token is at its limit' using errcode = 'PL429';
end $$;

-- What the token may do in a minute, as its last send knew it: that statement compares with it.
alter table token_minutes add column allowed integer;

drop function complete_and_write_down_messages(
  timestamptz, bigint[], bigint[], text[], text[], jsonb[], boolean[],
  bigint[], bigint[], integer[], integer[], integer[], integer[], bigint[], text[], text[], jsonb[],
  bigint[]);
drop function complete_messages(
  timestamptz, bigint[], bigint[], text[], text[], jsonb[], boolean[]);
