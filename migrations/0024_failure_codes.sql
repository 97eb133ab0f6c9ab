-- A code that is no whole number, or too large for one, counts as none: else whoever touches its message
-- fails, and with it what goes through the messages of all tenants.
create or replace function failure_code(status text, error jsonb) returns integer
  language sql immutable parallel safe
  return case
    when status = 'failed' and (error ->> 'code') ~ '^-?\d{1,9}$' then (error ->> 'code')::integer
    else -1 end;
