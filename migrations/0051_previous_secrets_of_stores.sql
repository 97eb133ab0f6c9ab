-- Until `previous_secret_until`, posts that are signed with the secret before the last change are accepted too.
alter table stores
  add column previous_secret bytea,
  add column previous_secret_until timestamptz;
