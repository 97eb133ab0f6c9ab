-- What every send does in the database, as functions. Their statements take plain values instead of
-- joining arrays, so PostgreSQL plans each once and well, on an empty table too, and a send that
-- goes alone costs half as much.

-- Raises the minute of a token by the requests of a share; gives the new count and the minute that
-- was counted in. Exact with any number of processes: the requests of a share take the places up to
-- the new count, in their order.
--
-- A call that had to wait over the turn of a minute counts in the newer one. A row further ahead
-- than that is left from before the database's clock was set back, and starts anew.
create function raise_minute(
  _tenant_id bigint, _token_id bigint, _requests integer, _at timestamptz,
  out requests integer, out minute_start timestamptz
) language plpgsql as $$
begin
  insert into token_minutes as kept (tenant_id, token_id, minute, requests)
  values (_tenant_id, _token_id, date_trunc('minute', _at), _requests)
  on conflict (tenant_id, token_id) do update set
    requests = excluded.requests
      + case when kept.minute - excluded.minute in (interval '0', interval '1 minute')
          then kept.requests else 0 end,
    minute = case when kept.minute - excluded.minute = interval '1 minute'
      then kept.minute else excluded.minute end
  returning kept.requests, kept.minute into requests, minute_start;
end $$;

-- Counts sends against the minute and the day of their tokens and writes down those that both
-- allow, as `accepting`. The first arrays have an entry for each token, in the order of its key, in
-- which every statement locks; the others one for each message, in the order of the tokens.
--
-- Gives a row for each token: its requests of the minute and messages of the day, its share
-- included; how many of the share were granted, which are the first so many; and their ids.
create function write_down_messages(
  _at timestamptz,
  _tenant_ids bigint[], _token_ids bigint[], _requests integer[], _minute_limits integer[],
  _quotas integer[],
  _number_ids bigint[], _phones text[], _kinds text[], _contents jsonb[], _run_ids bigint[]
) returns table (
  minute_requests integer, minute_start timestamptz, day_messages integer, granted_now integer,
  ids bigint[]
) language plpgsql as $$
declare
  _today date := (_at at time zone 'utc')::date;
  _before integer := 0;
  _wanted integer;
  _id bigint;
begin
  for _share in 1 .. cardinality(_token_ids) loop
    select raised.requests, raised.minute_start into minute_requests, minute_start
    from raise_minute(_tenant_ids[_share], _token_ids[_share], _requests[_share], _at) as raised;
    _wanted := least(_requests[_share],
                     _minute_limits[_share] - (minute_requests - _requests[_share]));
    if _wanted > 0 then
      insert into token_days as kept (tenant_id, token_id, day, quota, messages, granted)
      values (_tenant_ids[_share], _token_ids[_share], _today, _quotas[_share],
              least(_wanted, _quotas[_share]), least(_wanted, _quotas[_share]))
      on conflict (tenant_id, token_id, day) do update set
        quota = excluded.quota,
        granted = greatest(0, least(excluded.granted, excluded.quota - kept.messages)),
        messages = kept.messages
          + greatest(0, least(excluded.granted, excluded.quota - kept.messages))
      returning kept.messages, kept.granted into day_messages, granted_now;
    else
      granted_now := 0;
      day_messages := coalesce((
        select messages from token_days
        where tenant_id = _tenant_ids[_share] and token_id = _token_ids[_share] and day = _today
      ), 0);
    end if;
    ids := '{}';
    for _item in _before + 1 .. _before + granted_now loop
      insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content,
                            status, created_at, run_id)
      values (_tenant_ids[_share], _token_ids[_share], _number_ids[_item], 'out', _phones[_item],
              _kinds[_item], _contents[_item], 'accepting', _at, _run_ids[_item])
      returning id into _id;
      ids := ids || _id;
    end loop;
    _before := _before + _requests[_share];
    return next;
  end loop;
end $$;

-- Completes sends with what the network answered, and tells of their conversations. A callback may
-- have come first: what it said stays where it says more. A refused send gives its place in the day
-- back to its token. The arrays are in the order of tenant and id, in which every statement locks.
create function complete_messages(
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
    if found then
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

-- Both in one statement; gives what `write_down_messages` gives.
create function complete_and_write_down_messages(
  _at timestamptz,
  _done_tenant_ids bigint[], _done_ids bigint[], _statuses text[], _network_ids text[],
  _errors jsonb[], _refunded boolean[],
  _tenant_ids bigint[], _token_ids bigint[], _requests integer[], _minute_limits integer[],
  _quotas integer[],
  _number_ids bigint[], _phones text[], _kinds text[], _contents jsonb[], _run_ids bigint[]
) returns table (
  minute_requests integer, minute_start timestamptz, day_messages integer, granted_now integer,
  ids bigint[]
) language plpgsql as $$
begin
  perform complete_messages(
    _at, _done_tenant_ids, _done_ids, _statuses, _network_ids, _errors, _refunded);
  return query select * from write_down_messages(
    _at, _tenant_ids, _token_ids, _requests, _minute_limits, _quotas, _number_ids, _phones, _kinds,
    _contents, _run_ids);
end $$;

-- Planned while its table is empty, a lookup by tenant and id finds every index alike that has both
-- columns, and reads all of the tenant's entries when it takes one with another column between
-- them. It says nothing of a phone, so it cannot take an index of rows with one; and all have one.
drop index messages_conversation;
create index messages_conversation on messages (tenant_id, phone, id) where phone is not null;

-- The same for deliveries, and for what is said of a time.
drop index deliveries_created;
create index deliveries_created on deliveries (tenant_id, created_at, id)
  where created_at is not null;
