-- Bots, and their replies to inbound messages.

create table bots (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  active boolean not null default true,
  kind text not null check (kind in ('message', 'template')),
  name text not null,
  match text not null check (match in ('exact', 'starts_with', 'contains', 'first_message', 'any')),
  keywords text[] not null default '{}',
  -- Of a message bot.
  reply text,
  -- Of a template bot.
  template_name text,
  template_language text,
  fields text[],
  primary key (tenant_id, id),
  check (case kind
    when 'message' then reply is not null
    else template_name is not null and template_language is not null and fields is not null end)
);

-- Inbound messages that a bot may reply to. Both the queue (those with `due_at`) and the log. The key
-- allows one reply to a message. A message that no bot matches is deleted from here.
create table bot_answers (
  tenant_id bigint not null,
  inbound_id bigint not null,
  created_at timestamptz not null default now(),
  attempts smallint not null default 0,
  phone text not null,
  state text not null default 'waiting' check (
    state in ('waiting', 'sent', 'skipped', 'failed', 'unknown')
  ),
  -- When it is processed next; null once it is settled. A claim moves it to the end of its lease, so
  -- that another process takes over if this one dies.
  due_at timestamptz default now(),
  settled_at timestamptz,
  -- The bot that matched. Its name stays when the bot is deleted.
  bot_id bigint,
  bot_name text,
  -- The reply, set in the transaction that stores it.
  message_id bigint,
  -- When the reply was stored. Recent replies are counted, to stop two bots that reply to each other.
  answered_at timestamptz,
  reason text,
  primary key (tenant_id, inbound_id),
  foreign key (tenant_id, inbound_id) references messages on delete cascade
);

create index bot_answers_due on bot_answers (tenant_id, due_at) where due_at is not null;
-- Messages of one phone get their replies in order.
create index bot_answers_turn on bot_answers (tenant_id, phone, inbound_id)
  where due_at is not null;
create index bot_answers_recent on bot_answers (tenant_id, phone, answered_at)
  where message_id is not null;
create index bot_answers_age on bot_answers (created_at);
