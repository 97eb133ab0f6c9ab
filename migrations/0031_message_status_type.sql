-- What a message's status and direction may be is said by types of their own. The checks that said it before
-- were read and compiled anew by every statement that wrote a message.
--
-- In the order of how much they say. What a callback reports never undoes what is known already, in whatever
-- order callbacks come: the greatest holds, and proof of delivery outweighs a failure.
create type message_status as enum (
  'accepting', 'unknown', 'sent', 'failed', 'delivered', 'read',
  -- Of those that came in; nothing is reported of them.
  'received'
);
create type message_direction as enum ('out', 'in');

-- Both compare with text, and the trigger names its column.
drop index messages_accepting;
drop index messages_inbound;
drop trigger note_changed_outcome on messages;

alter table messages
  drop constraint messages_direction_check,
  drop constraint messages_status_check,
  alter direction type message_direction using direction::message_direction,
  alter status type message_status using status::message_status;

create index messages_accepting on messages (created_at) where status = 'accepting';
create index messages_inbound on messages (tenant_id, phone, id) where direction = 'in';
create trigger note_changed_outcome after update of status, error on messages
  for each row when (new.created_at < clock_timestamp() - interval '1 minute')
  execute function note_changed_outcome();

drop function further_status(text, text);
drop function message_outcome(text, text);
drop function failure_code(text, jsonb);

create function message_outcome(direction message_direction, status message_status) returns text
  language sql immutable parallel safe
  return case
    when direction = 'in' then 'received'
    when status in ('delivered', 'read') then 'delivered'
    when status in ('sent', 'accepting') then 'on_the_way'
    else status::text end;

-- The network's code of a failure; -1 for none, so that it can be part of a key. One that is no whole number, or
-- too large for one, counts as none: else whoever touches its message fails, and with it what goes through the
-- messages of all tenants.
create function failure_code(status message_status, error jsonb) returns integer
  language sql immutable parallel safe
  return case
    when status = 'failed' and (error ->> 'code') ~ '^-?\d{1,9}$' then (error ->> 'code')::integer
    else -1 end;
