-- Copies of the files of inbound messages, for tenants that want them. The network forgets such a file after seven days.
alter table tenants
  -- How many days a file is kept; 0 if none is.
  add column keep_files_days smallint not null default 0 check (keep_files_days between 0 and 3650);

-- A queue of files to download, and then the copies. There is no foreign key: a row stays until its file is removed,
-- also if its message or its tenant is deleted first.
create table kept_files (
  tenant_id bigint not null,
  message_id bigint not null,
  created_at timestamptz not null default now(),
  number_id bigint not null,
  -- When it is downloaded next; null once it is kept. A claim moves it to the end of its lease.
  due_at timestamptz default now(),
  kept_at timestamptz,
  size integer,
  attempts smallint not null default 0,
  -- Whether the copy is in the bucket, and not in the data folder.
  in_bucket boolean not null default false,
  -- Whether the message was deleted, so that the copy is to be removed.
  is_removed boolean not null default false,
  -- The network's id of the file.
  network_id text not null,
  mime_type text,
  sha256 bytea,
  primary key (tenant_id, message_id)
);
create index kept_files_due on kept_files (tenant_id, due_at) where due_at is not null;
create index kept_files_age on kept_files (tenant_id, kept_at) where kept_at is not null;
create index kept_files_removed on kept_files (tenant_id, message_id) where is_removed;

-- How many copies each tenant has, for its quota.
create table kept_file_totals (
  tenant_id bigint primary key references tenants on delete cascade,
  files bigint not null,
  bytes bigint not null
) with (fillfactor = 50);

-- Marks the copies of deleted messages, so that a worker removes the files.
create function mark_kept_files() returns trigger language plpgsql as $$
begin
  update kept_files set is_removed = true
  from deleted
  where kept_files.tenant_id = deleted.tenant_id and kept_files.message_id = deleted.id;
  return null;
end $$;

create trigger mark_kept_files after delete on messages
  referencing old table as deleted for each statement execute function mark_kept_files();
