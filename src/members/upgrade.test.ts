import { createHmac, randomBytes } from 'node:crypto';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashPassword } from 'better-auth/crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/database/database.ts';
import { makeScratchFolder } from '../../test/database/scratch.ts';
import { openSession } from '../../test/features/sign-in.ts';
import { call, type TestApp } from '../../test/program/app.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createServices } from '../services.ts';

const migrations = join(import.meta.dirname, '../../migrations');

test('after an upgrade a person stays signed in, and can sign in with the same password', async () => {
  const { db, drop } = await createTestDatabase();
  onTestFinished(drop);
  await db.pool.query('drop schema auth cascade; drop schema public cascade; create schema public');
  const older = await makeScratchFolder('parley-migrations-');
  onTestFinished(() => rm(older, { recursive: true }));
  for (const name of (await readdir(migrations)).filter((each) => each < '0041')) {
    await cp(join(migrations, name), join(older, name));
  }
  await migrate(db.pool, pathToFileURL(`${older}/`));

  const [email, password, token] = [
    'grace@example.com',
    'a ship in port is safe',
    'oneOfOurTokens',
  ];
  await db.pool.query(`
    insert into tenants (slug, name, plan) values ('shop', 'Shop', 'pro');
    insert into auth."user" ("id", "name", "email", "emailVerified")
    values ('AnIdOfAnAccount', 'Grace', '${email}', true);
    insert into auth."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
    values ('x', 'AnIdOfAnAccount', 'credential', 'AnIdOfAnAccount', '${await hashPassword(password)}', now());
    insert into auth."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values ('x', '${token}', 'AnIdOfAnAccount', now() + interval '30 days', now());
    insert into members (tenant_id, user_id, role) select id, 'AnIdOfAnAccount', 'owner' from tenants`);
  await migrate(db.pool);

  const config = readConfig({ PARLEY_LOG_LEVEL: 'silent' });
  const services = createServices({ config, db, masterKey: randomBytes(32) });
  const app = await buildApp(services);
  onTestFinished(() => app.close());
  const upgraded = { app, services, db } as unknown as TestApp;
  const sessionBy = async (cookie: string) =>
    (await call(upgraded, 'GET', '/auth/session', undefined, { cookie })).body.data;
  const secret = services.vault.derive('dashboard sessions');
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  const cookie = `__Secure-parley.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  const person = { email, name: 'Grace', tenants: [{ slug: 'shop', role: 'owner' }] };
  expect(await sessionBy(cookie)).toMatchObject(person);
  const opened = await openSession(upgraded, email.toUpperCase(), password);
  expect(await sessionBy(opened)).toMatchObject(person);
});
