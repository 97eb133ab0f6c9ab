-- Files that tenants uploaded to the network, which keeps each for 30 days and binds it to one number.
create table media_uploads (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  number_id bigint not null,
  mime_type text not null,
  sha256 bytea not null,
  size integer not null,
  -- Of the latest upload of the file.
  filename text,
  -- The network's id of the latest upload, which it forgets at `expires_at`.
  network_id text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, number_id, sha256, mime_type),
  foreign key (tenant_id, number_id) references numbers on delete cascade
);
create index media_uploads_expires on media_uploads (expires_at);
