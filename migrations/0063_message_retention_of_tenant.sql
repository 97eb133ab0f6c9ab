-- How many days the messages of a tenant are kept, if that is shorter than the setting of the installation. Null: the setting.
alter table tenants
  add column message_retention_days integer check (message_retention_days between 1 and 36500);
