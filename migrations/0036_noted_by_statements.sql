-- The statements that insert contacts count them and keep their search texts themselves.
drop trigger note_new_contacts on contacts;
drop function note_new_contacts();
