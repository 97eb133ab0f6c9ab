-- Bots leave a conversation to the member who answers it, and can pause after a reply.

-- Whether a member was assigned, or sent a message, since it was last closed. If it has an assignee as well, bots do
-- not reply.
alter table conversations add column is_taken boolean not null default false;

-- After a reply, the bot does not reply to the same phone for this long.
alter table bots add column pause_minutes smallint not null default 0
  check (pause_minutes between 0 and 1440);
