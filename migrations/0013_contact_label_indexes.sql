-- Finds the few contacts of a rare status or source. Partial, so that a contact without labels, as
-- most are when they come, does not pay for it.
create index contacts_status on contacts (tenant_id, status_id, id) where status_id is not null;
create index contacts_source on contacts (tenant_id, source_id, id) where source_id is not null;
