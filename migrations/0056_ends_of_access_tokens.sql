-- When the access token of a number ends, as the last check found it; null for one that never ends.
alter table numbers add column token_expires_at timestamptz;
