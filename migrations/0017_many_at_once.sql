-- The functions of 0011 and 0015 write several messages by one statement, not by one each: every
-- statement is set up anew, with the table's checks and the conditions of its indexes, which was
-- more than half of the work of a batch. One that goes alone keeps its plain statement, which is set
-- up in less.

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
  _today date := (_at at time zone 'utc')::date;
  _wanted integer;
  -- For each message, which token it is of, where it is granted.
  _share_of integer[];
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
    return next;
    _share_of := _share_of || array_fill(_share, array[granted_now])
      || array_fill(null::integer, array[_requests[_share] - granted_now]);
  end loop;

  if cardinality(_phones) > 1 then
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
  elsif granted_now = 1 then
    insert into messages (tenant_id, token_id, number_id, direction, phone, kind, content, status,
                          created_at, run_id)
    values (_tenant_ids[1], _token_ids[1], _number_ids[1], 'out', _phones[1], _kinds[1],
            _contents[1], 'accepting', _at, _run_ids[1])
    returning id into _id;
    ids := array[_id];
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
