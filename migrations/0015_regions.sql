-- How the dashboard of a tenant writes numbers, dates and times.

alter table tenants
  -- A BCP 47 language tag.
  add column locale text not null default 'en-GB',
  -- An IANA time zone. Null for that of each person's browser. Quotas count days in UTC in any case.
  add column time_zone text;
