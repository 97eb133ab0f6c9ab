-- Numbers that a tenant has not connected, about which the network reports to it all the same. The reports are lost.
create table unconnected_numbers (
  tenant_id bigint not null references tenants on delete cascade,
  phone_number_id text not null,
  display_phone_number text,
  -- Messages and statuses since `first_at`.
  reports bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, phone_number_id)
);
