-- Who changed what of a tenant, for its owners and the operator. An entry is written in the transaction of the change and
-- never changes. It has no secret, and nothing of a contact but its id.
create table audit_entries (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  -- In milliseconds, as a cursor has it.
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('member', 'token', 'operator', 'system')),
  -- The id of the account or the token. Empty for the operator and the system.
  actor_id text not null default '',
  -- As they were then: accounts and tokens can be renamed and deleted.
  actor_name text,
  actor_email text,
  -- The kind of the subject and what happened to it, such as `token.revoked`.
  action text not null,
  subject_id text,
  subject_name text,
  -- A list of fields. Those that may be shown have their values `before` and `after`.
  changes jsonb not null default '[]',
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- For the list, and for its filters by person and by kind.
create index audit_entries_by_time on audit_entries (tenant_id, at, id);
create index audit_entries_by_actor on audit_entries (tenant_id, actor_kind, actor_id, at, id);
create index audit_entries_by_kind on audit_entries (tenant_id, split_part(action, '.', 1), at, id);
