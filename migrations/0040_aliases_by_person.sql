-- concurrently
-- Finds the aliases of a conversation that becomes part of another one, without reading all of the tenant.
create index concurrently if not exists conversation_aliases_person on conversation_aliases (tenant_id, person);
