-- The phones that a contact had before its present one, each with the last message of the time when
-- it had it: until then the conversation of that phone was the contact's, and goes when it is deleted.
create table contact_earlier_phones (
  tenant_id bigint not null,
  contact_id bigint not null,
  -- As an identity: it stands for every way to write it.
  phone text not null,
  up_to_id bigint not null,
  primary key (tenant_id, contact_id, phone),
  foreign key (tenant_id, contact_id) references contacts on delete cascade
);

create function keep_earlier_phone() returns trigger language plpgsql as $$
begin
  insert into contact_earlier_phones as kept (tenant_id, contact_id, phone, up_to_id)
  select old.tenant_id, old.id, old.phone_identity, case when is_called then last_value else 0 end
  from messages_id_seq
  on conflict (tenant_id, contact_id, phone) do update set up_to_id = excluded.up_to_id;
  return null;
end $$;

create trigger keep_earlier_phone after update of phone on contacts
  for each row when (old.phone_identity <> new.phone_identity)
  execute function keep_earlier_phone();
