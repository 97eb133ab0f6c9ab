-- Further columns of the message record, and the indexes of the list of messages.

-- Only changes of the catalog: no row is rewritten.
alter table messages
  -- The sender's own text, by which the message can be found.
  add column reference text,
  -- The id of what caused the message: of an account, a bot, a store or a campaign. Text, because accounts have
  -- text ids. Null for `app` and `system`.
  add column cause_id text;

-- `cause` is `member`, `bot`, `store`, `campaign`, `app` or `system`. A message of a token has none: `token_id`
-- says it, so the most frequent messages store nothing more.

-- The price category that the network reported, as {category, type, billable}.
alter table message_states add column pricing jsonb;
alter table message_states alter column pricing set statistics 0;

-- The list of messages, newest first. The condition holds for every row. It excludes this index from lookups by
-- tenant and id, for the reason given at `messages_conversation`. (PostgreSQL 17 and newer know that a column is
-- never null, so `is not null` excludes nothing there.)
create index messages_created on messages (tenant_id, created_at, id) where created_at > '-infinity';

-- The same for a reference, a cause and a direction that may be rare. Partial, so that an ordinary send adds no
-- entry.
create index messages_reference on messages (tenant_id, reference, created_at, id)
  where reference is not null;
create index messages_cause on messages (tenant_id, cause, created_at, id) where cause is not null;
create index messages_inbound on messages (tenant_id, created_at, id) where direction = 'in';

-- Messages that failed, or whose outcome is unknown. The columns of the condition do not change when a message
-- is delivered or read, so these updates stay cheap (heap-only).
create index message_states_unsent on message_states (tenant_id, created_at, message_id)
  where failed_at is not null or network_id is null;
