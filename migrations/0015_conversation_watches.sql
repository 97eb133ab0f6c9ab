-- Who watches conversations in the dashboard, and until when. Nobody else is told of them: a NOTIFY
-- wakes every process that listens, on whatever channel, and cost a sixth of the sends a second.
create table conversation_watches (
  tenant_id bigint primary key references tenants on delete cascade,
  until timestamptz not null
);

-- Completes sends with what the network answered, and tells those who watch their conversations. A
-- callback may have come first: what it said stays where it says more. A refused send gives its place
-- in the day back to its token. The arrays are in the order of tenant and id, in which every statement
-- locks.
create or replace function complete_messages(
  _at timestamptz,
  _tenant_ids bigint[], _ids bigint[], _statuses text[], _network_ids text[], _errors jsonb[],
  _refunded boolean[]
) returns void language plpgsql as $$
declare
  _phone text;
  _token record;
begin
  for _item in 1 .. cardinality(_ids) loop
    update messages set
      status = further_status(status, _statuses[_item]),
      network_id = coalesce(network_id, _network_ids[_item]),
      error = coalesce(error, _errors[_item]),
      sent_at = case when _statuses[_item] = 'sent' then least(sent_at, _at) else sent_at end,
      failed_at = case when _statuses[_item] = 'failed'
        then coalesce(failed_at, _at) else failed_at end
    where tenant_id = _tenant_ids[_item] and id = _ids[_item]
    returning phone into _phone;
    if found and exists (
      select from conversation_watches where tenant_id = _tenant_ids[_item] and until > now()
    ) then
      perform pg_notify('conversation', _tenant_ids[_item] || ' ' || _phone);
    end if;
  end loop;
  if true = any (_refunded) then
    for _token in
      select messages.tenant_id, token_id, (created_at at time zone 'utc')::date as day,
             count(*) as messages
      from unnest(_tenant_ids, _ids, _refunded) as done (tenant_id, id, refunded)
      join messages on messages.tenant_id = done.tenant_id and messages.id = done.id
      where refunded and token_id is not null
      group by 1, 2, 3 order by 1, 2, 3
    loop
      update token_days set messages = messages - _token.messages
      where tenant_id = _token.tenant_id and token_id = _token.token_id and day = _token.day;
    end loop;
  end if;
end $$;
