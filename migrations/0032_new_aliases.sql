-- Aliases that a background job still has to check. A message that is being stored while its sender's identity becomes
-- an alias may not see the alias, and is then stored under the identity itself. The job waits until every transaction
-- that may not see the alias has ended, and moves such messages.
create table new_aliases (
  tenant_id bigint not null references tenants on delete cascade,
  identity text not null,
  -- When the job first saw the alias. Transactions that began later see it too.
  seen_at timestamptz,
  primary key (tenant_id, identity)
);

-- Those of earlier versions are checked once.
insert into new_aliases (tenant_id, identity) select tenant_id, identity from conversation_aliases;

-- The log of merges has both contacts as they were. A contact that is deleted leaves it from now on: so do those that
-- were deleted before, and merges that were undone. A contact that was merged again is in the one that it became.
with recursive step as (
  select tenant_id, id, id as merge_id, contact_id from identity_merges where undone_at is null
  union all
  select step.tenant_id, later.id, step.merge_id, later.contact_id
  from step
  join identity_merges as later on later.tenant_id = step.tenant_id and later.id > step.id
    and later.undone_at is null and (later.merged_contact ->> 'id')::bigint = step.contact_id
), latest as (
  select distinct on (tenant_id, merge_id) * from step order by tenant_id, merge_id, id desc
)
update identity_merges as merge set contact_id = latest.contact_id
from latest
where merge.tenant_id = latest.tenant_id and merge.id = latest.merge_id
  and merge.contact_id is distinct from latest.contact_id;

delete from identity_merges as merge
where undone_at is not null
  or contact_id is not null and not exists (
    select from contacts where contacts.tenant_id = merge.tenant_id and contacts.id = merge.contact_id);
