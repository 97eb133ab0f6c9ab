import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { showsCode } from '../../../../test/checks/shows-code.ts';
import { signIn } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { misbehave } from '../../../../test/servers/control.ts';
import { syncTemplates } from '../../../templates/syncing/sync-templates.ts';

const logged: string[] = [];
const app = testApp(
  {},
  pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        logged.push(String(chunk));
        done();
      },
    }),
  ),
);

const login = {
  phone_number: '+14155550123',
  template_name: 'login_code',
  template_language: 'en_US',
};
const contact = { firstname: 'Amina' };

/** Dumps every table of the database as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await app.db.pool.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await app.db.pool.query(`select t::text as row from ${name} t`);
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n');
}

async function sendAll(shop: TestTenant): Promise<string[]> {
  const send = (fields: object, headers = {}) =>
    shop.call('POST', '/messages/template', { ...login, ...fields }, headers);
  const misbehaveOnce = (knobs: object) => misbehave(app, shop, { count: 1, ...knobs });
  const keyed = { 'idempotency-key': 'once' };
  const generated = [
    await send({ auto_generate_otp: true }),
    await send({ auto_generate_otp: true, contact }),
    await send({ auto_generate_otp: true }, keyed),
  ].map(({ body }) => {
    expect(showsCode(JSON.stringify(body), body.data.otp)).toBe(true);
    return body.data.otp as string;
  });
  const replayed = await send({ auto_generate_otp: true }, keyed);
  expect(replayed.headers['idempotency-replayed']).toBe('true');
  expect(showsCode(JSON.stringify(replayed.body), generated[2]!)).toBe(false);

  // The caller's own codes, in every outcome that a send can have.
  const own = ['739201', '739202', '739203', '739204', '739205'];
  await send({ field_1: own[0] });
  await send({ field_1: own[1], contact }, { 'idempotency-key': 'own' });
  await misbehaveOnce({ failWith: 132012, failAs: 'answer', failDetails: 'body: no' });
  await send({ field_1: own[2] });
  await misbehaveOnce({ answer: 'garbage' });
  await send({ field_1: own[3] });
  await send({ field_1: own[4], template_language: 'de' });
  return [...generated, ...own];
}

test('a code is in the response of its send and nowhere else', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  await app.db.pool.query(
    `insert into webhooks (tenant_id, url, events, secret)
     values ($1, 'https://shop.test/hook', '{contact.created,contact.read}', '\\x00')`,
    [shop.id],
  );
  const codes = await sendAll(shop);
  const member = await signIn(app, shop);
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  const pages = [
    await shop.call('GET', '/contacts'),
    await shop.call('GET', '/templates'),
    await member.call('GET', '/conversations'),
    await member.call('GET', `/conversation?phone=${encodeURIComponent(login.phone_number)}`),
  ].map(({ body }) => JSON.stringify(body));
  // The list and the conversation do show the message.
  for (const page of pages.slice(2)) expect(page).toContain('login_code');
  const database = await dump();
  // The dump and the log are not empty by mistake.
  expect(database).toContain('login_code');
  expect(database).toContain('••••••');
  expect(database).toContain('contact.created');
  expect(logged.length).toBeGreaterThan(0);
  for (const code of codes) {
    for (const place of [database, logged.join('\n'), ...pages]) {
      expect(showsCode(place, code), `${code} in ${place}`).toBe(false);
    }
  }
});
