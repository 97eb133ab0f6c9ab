-- Bots, and what each inbound message got for an answer.

create table bots (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  kind text not null check (kind in ('message', 'template')),
  name text not null,
  active boolean not null default true,
  match text not null check (match in ('exact', 'starts_with', 'contains', 'first_message', 'any')),
  keywords text[] not null default '{}',
  -- Of a message bot.
  reply text,
  -- Of a template bot.
  template_name text,
  template_language text,
  fields text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (case kind
    when 'message' then reply is not null
    else template_name is not null and template_language is not null and fields is not null end)
);

-- Inbound messages that a bot may answer: the queue of what is to be looked at, and the log of what
-- came of it. The key makes it one answer for a message. What no bot matches leaves no row behind.
create table bot_answers (
  tenant_id bigint not null,
  inbound_id bigint not null,
  phone text not null,
  state text not null default 'waiting' check (
    state in ('waiting', 'sent', 'skipped', 'failed', 'unknown')
  ),
  reason text,
  -- The bot that answered or would have; its name stays when the bot is deleted.
  bot_id bigint,
  bot_name text,
  -- The answer, written down in the same transaction as this reference.
  message_id bigint,
  -- When the answer was written down; counts against a loop of two bots.
  answered_at timestamptz,
  attempts smallint not null default 0,
  -- When it is to be looked at (again); null once it is settled. One in hand is due again when its
  -- lease ends, so that the death of a process loses nothing.
  due_at timestamptz default now(),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (tenant_id, inbound_id),
  foreign key (tenant_id, inbound_id) references messages on delete cascade
);

create index bot_answers_due on bot_answers (tenant_id, due_at) where due_at is not null;
-- Messages of one phone are answered in their order.
create index bot_answers_turn on bot_answers (tenant_id, phone, inbound_id)
  where due_at is not null;
create index bot_answers_pace on bot_answers (tenant_id, phone, answered_at)
  where message_id is not null;
create index bot_answers_age on bot_answers (created_at);
