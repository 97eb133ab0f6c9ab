-- An email proves nothing: whoever makes an invitation link sees it. So several accounts may have the
-- same email, each with a password of its own, and a member is an account.
alter table auth."user" drop constraint "user_email_key";
create index "user_email_idx" on auth."user" ("email");

-- What better-auth takes for the email of an account, by which it finds one.
alter table auth."user" add column "login" text not null unique
  generated always as (lower("id") || '@account.invalid') stored;

-- Sessions are found by the SHA-256 of their token.
update auth."session" set "token" = encode(sha256(convert_to("token", 'UTF8')), 'hex');
