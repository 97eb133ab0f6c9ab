import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { answersOf, sentTo, testBot, write } from '../../../test/features/bots.ts';
import { settleSends } from '../../../test/features/settle-sends.ts';
import { testApp } from '../../../test/program/app.ts';
import { startApiProcesses } from '../../../test/program/service-processes.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { automatedSenderOf } from '../../messages/sending/automated/automated-sender-of.ts';
import { startAnswering } from './start-answering.ts';

const app = testApp();
const kills = 3;
const messages = 40;
/** The delay of the network's response. */
const delayMs = 150;

test('every message is answered once if the process that answers is killed repeatedly', {
  timeout: 180_000,
}, async () => {
  const shop = await app.tenant();
  await testBot(app, shop, { match: 'any', reply: 'Here' });
  await misbehave(app, shop, { delayMs, duplicate: 1 });
  const begun = async () => {
    const { rows } = await app.db.query<{ begun: number }>(sql`
      select coalesce(sum(attempts), 0)::int as begun from bot_answers
      where tenant_id = ${shop.id}`);
    return rows[0]!.begun;
  };
  // This process receives the callbacks; the killed ones answer.
  const phones = Array.from({ length: messages }, (_, index) => `+447700900${100 + index}`);
  const writing = (async () => {
    for (const phone of phones) {
      await write(app, shop, phone, 'Hello');
    }
  })();
  for (let kill = 0; kill < kills; kill++) {
    const before = await begun();
    const [service] = await startApiProcesses(app, 1);
    // An answer takes longer than that, so some are interrupted.
    await eventually(async () => (await begun()) > before);
    await pause(Math.random() * delayMs);
    await service!.kill();
  }
  await writing;
  await eventually(async () => (await answersOf(app, shop)).length === messages);

  // The leases of the dead processes expire, and their answers in flight become unknown.
  await settleSends(app);
  await app.setClock(60_000);
  const sender = automatedSenderOf(app.services);
  const stop = startAnswering({ ...app.services, sender });
  const rows = await eventually(async () => {
    const all = await answersOf(app, shop);
    return all.every(({ state }) => state !== 'waiting') && all;
  });
  await stop();

  const sent = await sentTo(app, shop);
  const answersTo = (phone: string) =>
    sent.filter((each) => `+${each.phone.replace(/^\+/, '')}` === phone).length;
  expect(rows.map(({ phone }) => phone).sort()).toEqual([...phones].sort());
  for (const { phone, state } of rows) {
    // An unknown answer may have been sent, but never more than once.
    expect([phone, state, answersTo(phone)]).toEqual([
      phone,
      expect.stringMatching(/^(sent|unknown)$/),
      state === 'sent' ? 1 : expect.toSatisfy((count: number) => count <= 1),
    ]);
  }
  const { rows: taken } = await app.db.query<{ again: number }>(sql`
    select count(*)::int as again from bot_answers
    where tenant_id = ${shop.id} and attempts > 1`);
  expect(taken[0]!.again).toBeGreaterThan(0);
});
