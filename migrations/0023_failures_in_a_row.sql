-- A webhook is switched off after days of nothing but failures. Two failures with quiet days between
-- say little, so those that come one after another are counted: at most one an hour, and from 1 again
-- after a day and a half without any (the longest wait between two tries is a day and a tenth).
alter table webhooks
  add column failures_in_row integer not null default 0,
  -- The latest that was counted.
  add column failed_at timestamptz;
