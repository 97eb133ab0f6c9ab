-- Accounts of people who sign in to the dashboard, and the tenants that they may use.

-- The schema `auth` belongs to better-auth 1.7.7 with its two-factor plugin: its tables as its generator
-- writes them, with two changes to `user` and without the index on `twoFactor.secret`, which it never
-- looks up.
create schema auth;

create table auth."user" (
  "id" text not null primary key,
  "name" text not null,
  -- Not unique. It proves nothing, because the inviter sees the invitation link too. Several accounts can
  -- have the same email, each with its own password, and a member is an account.
  "email" text not null,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null,
  "twoFactorEnabled" boolean,
  -- What better-auth uses as the email of an account, by which it finds it.
  "login" text not null unique generated always as (lower("id") || '@account.invalid') stored
);

create table auth."session" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null,
  -- SHA-256 of the token, in hexadecimal.
  "token" text not null unique,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references auth."user" ("id") on delete cascade
);

create table auth."account" (
  "id" text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references auth."user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz not null
);

create table auth."verification" (
  "id" text not null primary key,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null
);

create table auth."twoFactor" (
  "id" text not null primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null references auth."user" ("id") on delete cascade,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);

create index "user_email_idx" on auth."user" ("email");
create index "session_userId_idx" on auth."session" ("userId");
create index "account_userId_idx" on auth."account" ("userId");
create index "verification_identifier_idx" on auth."verification" ("identifier");
create index "twoFactor_userId_idx" on auth."twoFactor" ("userId");

create table members (
  tenant_id bigint not null references tenants on delete cascade,
  user_id text not null references auth."user" ("id") on delete cascade,
  created_at timestamptz not null default now(),
  role text not null check (role in ('owner', 'staff')),
  primary key (tenant_id, user_id)
);

create index members_user on members (user_id);

alter table conversations
  add foreign key (tenant_id, assignee) references members on delete set null (assignee);

create table invitations (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- From the operator's command. Only such a link can give an existing account a new password. Otherwise
  -- an owner could take over the account of another tenant's member.
  by_operator boolean not null,
  role text not null check (role in ('owner', 'staff')),
  email text not null check (email = lower(email)),
  -- SHA-256 of the secret in the link, which is shown once and not stored.
  token_hash bytea not null unique,
  used_at timestamptz,
  primary key (tenant_id, id)
);

-- Attempts at passwords since a time, by a SHA-256 of account and client. Unlogged: a crash of the
-- database may lose it.
create unlogged table password_attempts (
  key bytea primary key,
  since timestamptz not null,
  attempts integer not null
) with (fillfactor = 50);
