-- The functions of 0011 and 0015 write several messages by one statement, not by one each: every
-- statement is set up anew, with the table's checks and the conditions of its indexes, which was
-- more than half of the work of a batch. One that goes alone keeps its plain statement, which is set
-- up in less.

-- What raise_minute does, for the shares of many tokens, in the order of their keys.
create function raise_minutes(
  _tenant_ids bigint[], _token_ids bigint[], _requests integer[], _at timestamptz
) returns table (
  tenant_id bigint, token_id bigint, requests integer, minute_requests integer,
  minute_start timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  _counts integer[];
  _minutes timestamptz[];
begin
  if cardinality(_token_ids) = 1 then
    return query
      select _tenant_ids[1], _token_ids[1], _requests[1], raised.requests, raised.minute_start
      from raise_minute(_tenant_ids[1], _token_ids[1], _requests[1], _at) as raised;
    return;
  end if;
  with raised as (
    insert into token_minutes as kept (tenant_id, token_id, minute, requests)
    select share.tenant_id, share.token_id, date_trunc('minute', _at), share.requests
    from unnest(_tenant_ids, _token_ids, _requests) as share (tenant_id, token_id, requests)
    on conflict (tenant_id, token_id) do update set
      requests = excluded.requests
        + case when kept.minute - excluded.minute in (interval '0', interval '1 minute')
            then kept.requests else 0 end,
      minute = case when kept.minute - excluded.minute = interval '1 minute'
        then kept.minute else excluded.minute end
    returning kept.tenant_id, kept.token_id, kept.requests, kept.minute
  )
  select array_agg(raised.requests order by raised.tenant_id, raised.token_id),
         array_agg(raised.minute order by raised.tenant_id, raised.token_id)
  into _counts, _minutes from raised;
  return query select * from unnest(_tenant_ids, _token_ids, _requests, _counts, _minutes);
end $$;

-- Counts sends against the minute and the day of their tokens and writes down those that both
-- allow, as `accepting`. The first arrays have an entry for each token, in the order of its key, in
-- which every statement locks; the others one for each message, in the order of the tokens.
--
-- Gives a row for each token: its requests of the minute and messages of the day, its share
-- included, and how many of the share were granted, which are the first so many; and a last row
-- with nothing but the ids of all that were granted, in their order.
create or replace function write_down_messages(
  _at timestamptz,
  _tenant_ids bigint[], _token_ids bigint[], _requests integer[], _minute_limits integer[],
  _quotas integer[],
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
    from raise_minute(_tenant_ids[1], _token_ids[1], 1, _at) as raised;
    granted_now := 0;
    if minute_requests <= _minute_limits[1] then
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
    from raise_minutes(_tenant_ids, _token_ids, _requests, _at) as raised;
    _wanted := array(
      select least(asked, allowed - (counted - asked))
      from unnest(_requests, _minute_limits, _counts) with ordinality
        as share (asked, allowed, counted, place)
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
      where wanted <= 0
    )
    select array_agg(messages order by tenant_id, token_id),
           array_agg(granted order by tenant_id, token_id)
    into _messages, _granted
    from (select * from taken union all select * from left_alone) as share;
    return query
      select share.*, null::bigint[] from unnest(_counts, _minutes, _messages, _granted) as share;

    _share_of := array(
      select case when nth <= granted then place end
      from unnest(_requests, _granted) with ordinality as share (asked, granted, place),
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
  if cardinality(_ids) > 1 then
    with completed as (
      update messages set
        status = further_status(messages.status, done.status),
        network_id = coalesce(messages.network_id, done.network_id),
        error = coalesce(messages.error, done.error),
        sent_at = case when done.status = 'sent' then least(sent_at, _at) else sent_at end,
        failed_at = case when done.status = 'failed' then coalesce(failed_at, _at) else failed_at end
      from unnest(_tenant_ids, _ids, _statuses, _network_ids, _errors)
        as done (tenant_id, id, status, network_id, error)
      where messages.tenant_id = done.tenant_id and messages.id = done.id
      returning messages.tenant_id, phone
    )
    select count(pg_notify('conversation', tenant_id || ' ' || phone)) into _token
    from completed join conversation_watches using (tenant_id) where until > now();
  else
    update messages set
      status = further_status(status, _statuses[1]),
      network_id = coalesce(network_id, _network_ids[1]),
      error = coalesce(error, _errors[1]),
      sent_at = case when _statuses[1] = 'sent' then least(sent_at, _at) else sent_at end,
      failed_at = case when _statuses[1] = 'failed' then coalesce(failed_at, _at) else failed_at end
    where tenant_id = _tenant_ids[1] and id = _ids[1]
    returning phone into _phone;
    if found and exists (
      select from conversation_watches where tenant_id = _tenant_ids[1] and until > now()
    ) then
      perform pg_notify('conversation', _tenant_ids[1] || ' ' || _phone);
    end if;
  end if;
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
