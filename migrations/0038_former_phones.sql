-- Phones that the person of a conversation gave up, as the network reported. Callbacks from before the change can
-- arrive days after it. They name the old phone with a user id of the person, and must not link the two again, because
-- somebody else may have the phone by then.
create table former_phones (
  tenant_id bigint not null references tenants on delete cascade,
  person text not null,
  -- In the canonical form.
  phone text not null,
  primary key (tenant_id, person, phone)
);

-- The changes so far, including those by staff, which the network contradicts only with user ids of the old phone.
insert into former_phones (tenant_id, person, phone)
select earlier.tenant_id, coalesce(alias.person, contacts.phone_identity), earlier.person
from earlier_conversations as earlier
join contacts on contacts.tenant_id = earlier.tenant_id and contacts.id = earlier.contact_id
left join conversation_aliases as alias
  on alias.tenant_id = contacts.tenant_id and alias.identity = contacts.phone_identity
where starts_with(earlier.person, '+')
  and coalesce(alias.person, contacts.phone_identity) <> earlier.person
on conflict do nothing;
