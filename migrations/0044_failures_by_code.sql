-- concurrently
-- Lists the messages that failed for one reason. Its columns do not change when a message is delivered or read, so these
-- updates stay cheap (heap-only).
create index concurrently if not exists message_states_failed
  on message_states (tenant_id, failure_code('failed', error), created_at, message_id)
  where failed_at is not null;
