-- The requests of tokens in the last days, for the dashboard. Each process gathers them and adds them every second.
-- No foreign keys, which would lock the tenant and the token for each request.
create table api_requests (
  tenant_id bigint not null,
  id bigint generated always as identity,
  -- When the request arrived.
  at timestamptz not null,
  token_id bigint not null,
  duration_ms integer not null,
  -- Further requests of the tenant in the same second, which have no row.
  left_out integer not null,
  status smallint not null,
  method text not null,
  -- After the tenant, with the query.
  path text not null,
  request_id text not null,
  error_code text,
  error_message text,
  -- The beginning of the JSON, with secrets masked. Null unless the tenant had switched bodies on.
  request_body text,
  response_body text,
  primary key (tenant_id, id)
);

-- Until when the bodies of requests are logged.
alter table tenants add column log_bodies_until timestamptz;
