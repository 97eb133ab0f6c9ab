-- concurrently
-- Gathered messages are delivered in turns of their tenants. gathered_messages_due finds whether any are due.
create index concurrently if not exists gathered_messages_due_of_tenant on gathered_messages (tenant_id, due_at);
