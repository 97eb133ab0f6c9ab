-- The messages of a tenant up to this id were counted by the installation that it came from. Its ids are often beyond the
-- place of the walk here, and reading all of them again would take minutes for a large tenant, while its writes are held.
alter table tenants add column outcomes_counted_to bigint;
