-- A send that has a file fetched is counted against its minute before that, so that one beyond the
-- limit fetches nothing. Writing it down must not count it again: the functions of 0011 and 0017 are
-- told how many of a token's messages are still to be counted.

drop function complete_and_write_down_messages(
  timestamptz, bigint[], bigint[], text[], text[], jsonb[], boolean[],
  bigint[], bigint[], integer[], integer[], integer[], bigint[], text[], text[], jsonb[], bigint[]);
drop function write_down_messages(
  timestamptz, bigint[], bigint[], integer[], integer[], integer[], bigint[], text[], text[], jsonb[],
  bigint[]);

-- Counts sends against the minute and the day of their tokens and writes down those that both
-- allow, as `accepting`. The first arrays have an entry for each token, in the order of its key, in
-- which every statement locks; the others one for each message, in the order of the tokens. Of the
-- messages of a token the last `_uncounted` are to be counted against the minute; those before them
-- were counted, and allowed, earlier.
--
-- Gives a row for each token: its requests of the minute and messages of the day, its share
-- included, and how many of the share were granted, which are the first so many; and a last row
-- with nothing but the ids of all that were granted, in their order.
create function write_down_messages(
  _at timestamptz,
  _tenant_ids bigint[], _token_ids bigint[], _asked integer[], _uncounted integer[],
  _minute_limits integer[], _quotas integer[],
  _number_ids bigint[], _phones text[], _kinds text[], _contents jsonb[], _run_ids bigint[]
) returns table (
  minute_requests integer, minute_start timestamptz, day_messages integer, granted_now integer,
  ids bigint[]
) language plpgsql as $$
declare
  _day date := (_at at time zone 'utc')::date;
  _id bigint;
  -- By token.
  _counts integer[];
  _minutes timestamptz[];
  _wanted integer[];
  _messages integer[];
  _granted integer[];
  -- By message: the place of its token, where it is granted.
  _share_of integer[];
begin
  if cardinality(_phones) = 1 then
    select raised.requests, raised.minute_start into minute_requests, minute_start
    from raise_minute(_tenant_ids[1], _token_ids[1], _uncounted[1], _at) as raised;
    granted_now := 0;
    if _uncounted[1] = 0 or minute_requests <= _minute_limits[1] then
      insert into token_days as kept (tenant_id, token_id, day, quota, messages, granted)
      values (_tenant_ids[1], _token_ids[1], _day, _quotas[1], least(1, _quotas[1]),
              least(1, _quotas[1]))
      on conflict (tenant_id, token_id, day) do update set
        quota = excluded.quota,
        granted = greatest(0, least(excluded.granted, excluded.quota - kept.messages)),
        messages = kept.messages
          + greatest(0, least(excluded.granted, excluded.quota - kept.messages))
      returning kept.messages, kept.granted into day_messages, granted_now;
    else
      day_messages := coalesce((
        select messages from token_days
        where tenant_id = _tenant_ids[1] and token_id = _token_ids[1] and day = _day
      ), 0);
    end if;
    return next;
    if granted_now = 1 then
      insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content,
                            status, created_at, run_id)
      values (_tenant_ids[1], _token_ids[1], _number_ids[1], 'out', _phones[1], _kinds[1],
              _contents[1], 'accepting', _at, _run_ids[1])
      returning id into _id;
      ids := array[_id];
    end if;
  else
    select array_agg(raised.minute_requests order by raised.tenant_id, raised.token_id),
           array_agg(raised.minute_start order by raised.tenant_id, raised.token_id)
    into _counts, _minutes
    from raise_minutes(_tenant_ids, _token_ids, _uncounted, _at) as raised;
    _wanted := array(
      select asked - uncounted + greatest(0, least(uncounted, allowed - (counted - uncounted)))
      from unnest(_asked, _uncounted, _minute_limits, _counts) with ordinality
        as share (asked, uncounted, allowed, counted, place)
      order by place);
    with taken as (
      insert into token_days as kept (tenant_id, token_id, day, quota, messages, granted)
      select tenant_id, token_id, _day, quota, least(wanted, quota), least(wanted, quota)
      from unnest(_tenant_ids, _token_ids, _wanted, _quotas)
        as share (tenant_id, token_id, wanted, quota)
      where wanted > 0
      on conflict (tenant_id, token_id, day) do update set
        quota = excluded.quota,
        granted = greatest(0, least(excluded.granted, excluded.quota - kept.messages)),
        messages = kept.messages
          + greatest(0, least(excluded.granted, excluded.quota - kept.messages))
      returning kept.tenant_id, kept.token_id, kept.messages, kept.granted
    ), left_alone as (
      select share.tenant_id, share.token_id, coalesce(messages, 0) as messages, 0 as granted
      from unnest(_tenant_ids, _token_ids, _wanted) as share (tenant_id, token_id, wanted)
      left join token_days on token_days.tenant_id = share.tenant_id
        and token_days.token_id = share.token_id and token_days.day = _day
      where wanted = 0
    )
    select array_agg(messages order by tenant_id, token_id),
           array_agg(granted order by tenant_id, token_id)
    into _messages, _granted
    from (select * from taken union all select * from left_alone) as share;
    return query
      select share.*, null::bigint[] from unnest(_counts, _minutes, _messages, _granted) as share;

    _share_of := array(
      select case when nth <= granted then place end
      from unnest(_asked, _granted) with ordinality as share (asked, granted, place),
           generate_series(1, asked) as nth
      order by place, nth);
    with written as (
      insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content,
                            status, created_at, run_id)
      select _tenant_ids[share], _token_ids[share], number_id, 'out', phone, kind, content,
             'accepting', _at, run_id
      from unnest(_share_of, _number_ids, _phones, _kinds, _contents, _run_ids)
        as message (share, number_id, phone, kind, content, run_id)
      where share is not null
      returning id
    )
    select array_agg(id order by id) into ids from written;
  end if;
  minute_requests := null;
  minute_start := null;
  day_messages := null;
  granted_now := null;
  return next;
end $$;

-- Both in one statement; gives what `write_down_messages` gives.
create function complete_and_write_down_messages(
  _at timestamptz,
  _done_tenant_ids bigint[], _done_ids bigint[], _statuses text[], _network_ids text[],
  _errors jsonb[], _refunded boolean[],
  _tenant_ids bigint[], _token_ids bigint[], _asked integer[], _uncounted integer[],
  _minute_limits integer[], _quotas integer[],
  _number_ids bigint[], _phones text[], _kinds text[], _contents jsonb[], _run_ids bigint[]
) returns table (
  minute_requests integer, minute_start timestamptz, day_messages integer, granted_now integer,
  ids bigint[]
) language plpgsql as $$
begin
  perform complete_messages(
    _at, _done_tenant_ids, _done_ids, _statuses, _network_ids, _errors, _refunded);
  return query select * from write_down_messages(
    _at, _tenant_ids, _token_ids, _asked, _uncounted, _minute_limits, _quotas, _number_ids, _phones,
    _kinds, _contents, _run_ids);
end $$;
