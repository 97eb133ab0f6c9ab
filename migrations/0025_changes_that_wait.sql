-- Changes of one contact or label take turns at its row, and one that waited began before those it
-- waited for.

-- Receivers of events tell by `updated_at` which of two states is the newer: each change has a later
-- one than the change before it, by the milliseconds that are shown.
create function move_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at + interval '1 ms';
  return new;
end $$;

create trigger move_updated_at before update of updated_at on contacts
  for each row when (new.updated_at < old.updated_at + interval '1 ms')
  execute function move_updated_at();
create trigger move_updated_at before update of updated_at on statuses
  for each row when (new.updated_at < old.updated_at + interval '1 ms')
  execute function move_updated_at();
create trigger move_updated_at before update of updated_at on sources
  for each row when (new.updated_at < old.updated_at + interval '1 ms')
  execute function move_updated_at();
create trigger move_updated_at before update of updated_at on groups
  for each row when (new.updated_at < old.updated_at + interval '1 ms')
  execute function move_updated_at();

-- The groups of a contact at this very moment: a statement that waited sees them as they were when it
-- began, a volatile function as they are. A deleted group is none.
create function group_ids_now(_tenant_id bigint, _contact_id bigint) returns bigint[]
language plpgsql volatile as $$
begin
  return array(
    select groups.id
    from contact_groups
    join groups on groups.tenant_id = contact_groups.tenant_id
      and groups.id = contact_groups.group_id and groups.deleted_at is null
    where contact_groups.tenant_id = _tenant_id and contact_groups.contact_id = _contact_id
    order by groups.id);
end $$;
