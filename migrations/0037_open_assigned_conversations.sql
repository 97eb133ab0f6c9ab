-- concurrently
-- Lists the open conversations of a member, who keeps those that were closed.
create index concurrently if not exists conversations_mine
  on conversations (tenant_id, assignee, last_message_id)
  where is_open and assignee is not null;
