-- A contact whose phone staff changed kept the user id of the old phone, whose owner may have a contact by now.
update contacts set user_id = null, username = null, updated_at = now()
from earlier_conversations as earlier
join conversation_aliases as alias
  on alias.tenant_id = earlier.tenant_id and alias.person = earlier.person
where contacts.tenant_id = earlier.tenant_id and contacts.id = earlier.contact_id
  and alias.identity = 'user:' || contacts.user_id
  and contacts.phone_identity <> earlier.person
  and not exists (
    select from conversation_aliases as own
    where own.tenant_id = contacts.tenant_id and own.identity = contacts.phone_identity
      and own.person = earlier.person);
