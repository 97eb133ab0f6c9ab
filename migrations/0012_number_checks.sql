-- Whether a connected number works: what the checks found, and what the network has reported.

alter table numbers
  -- The name that people see.
  add column verified_name text,
  -- What the last check found wrong, as a list of {name, found, fix}.
  add column faults jsonb not null default '[]',
  add column checked_at timestamptz,
  add column check_due_at timestamptz not null default now(),
  -- When the first message arrived with these secrets: the proof that the network's callbacks arrive.
  add column received_at timestamptz,
  -- When the network last reported anything, to the minute.
  add column heard_at timestamptz,
  -- When the number sent a message since which nothing was heard; null if there is none.
  add column unheard_since timestamptz;

-- Numbers that got messages are proven. The checks of all are spread over a day.
update numbers set check_due_at = now() + random() * interval '1 day';
update numbers set received_at = latest.at, heard_at = latest.at
from (
  select tenant_id, number_id, max(last_inbound_at) as at
  from conversation_windows group by tenant_id, number_id
) as latest
where latest.tenant_id = numbers.tenant_id and latest.number_id = numbers.id;

create index numbers_check_due on numbers (check_due_at) where disconnected_at is null;
