-- Idempotent requests, and the usage of tokens.

-- A POST with an Idempotency-Key. The primary key decides who runs it; the others wait.
create table idempotency_keys (
  tenant_id bigint not null,
  token_id bigint not null,
  key text not null,
  -- One run of the request. Its messages bear it, so that what a dead process did is found again.
  run_id bigint not null,
  -- Keyed hash of method, path and body: the same key with another request is a mistake.
  fingerprint bytea not null,
  created_at timestamptz not null,
  -- Until then nobody else may run it: a lease while it runs, a day once it succeeded.
  held_until timestamptz not null,
  -- Absent while it runs, and for good when its process died.
  answer json,
  -- It is certain that nothing came of the run: the next one starts afresh.
  without_effect boolean not null default false,
  primary key (tenant_id, token_id, key),
  foreign key (tenant_id, token_id) references tokens on delete cascade
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
create sequence idempotency_runs;

alter table messages add column run_id bigint;
create unique index messages_run on messages (tenant_id, run_id) where run_id is not null;

-- What each token did on a day (UTC), for people to look at; the limits count in tables of their
-- own. Gathered in each process and added every few seconds.
create table token_usage (
  tenant_id bigint not null,
  token_id bigint not null,
  day date not null,
  requests bigint not null,
  -- Answered with 4xx and with 5xx.
  refusals bigint not null,
  failures bigint not null,
  texts bigint not null,
  media bigint not null,
  templates bigint not null,
  primary key (tenant_id, token_id, day),
  foreign key (tenant_id, token_id) references tokens on delete cascade
);
