-- People who sign in to the dashboard. The schema `auth` belongs to better-auth: its tables as its
-- own generator (version 1.7.7, with the two-factor plugin) writes them. Ours say who may see what.

create schema auth;

create table auth."user" (
  "id" text not null primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz default current_timestamp not null,
  "updatedAt" timestamptz default current_timestamp not null,
  "twoFactorEnabled" boolean
);

create table auth."session" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null,
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

create index "session_userId_idx" on auth."session" ("userId");
create index "account_userId_idx" on auth."account" ("userId");
create index "verification_identifier_idx" on auth."verification" ("identifier");
create index "twoFactor_secret_idx" on auth."twoFactor" ("secret");
create index "twoFactor_userId_idx" on auth."twoFactor" ("userId");

create table members (
  tenant_id bigint not null references tenants on delete cascade,
  user_id text not null references auth."user" ("id") on delete cascade,
  role text not null check (role in ('owner', 'staff')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);

create index members_user on members (user_id);

create table invitations (
  tenant_id bigint not null references tenants on delete cascade,
  id bigint generated always as identity,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'staff')),
  -- SHA-256 of the secret in the link; the link itself is shown once and kept nowhere.
  token_hash bytea not null unique,
  -- Made by the operator's command: the link may also give a known person a new password. One made
  -- by a tenant may not, or an owner could take over the account of another tenant's member.
  by_operator boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, id)
);

-- Tries of a password since a moment, by SHA-256 of whose and from where.
create unlogged table password_attempts (
  key bytea primary key,
  attempts integer not null,
  since timestamptz not null
) with (fillfactor = 50);

-- A message sent from the dashboard counts against a token like any other: one of its own, whose
-- value nobody has.
alter table tokens add column internal boolean not null default false;
create unique index tokens_internal on tokens (tenant_id) where internal;
