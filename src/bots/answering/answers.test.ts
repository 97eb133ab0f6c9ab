import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks } from '../../../test/database/locks.ts';
import {
  answersOf,
  botServices,
  sentTo,
  testBot,
  testTemplateBot,
  write,
} from '../../../test/features/bots.ts';
import { postCallback } from '../../../test/features/post-callback.ts';
import { settleSends } from '../../../test/features/settle-sends.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { connectTestNumber, control, misbehave } from '../../../test/servers/control.ts';
import { readOnThePhone } from '../../../test/servers/phone.ts';
import { upsertContact } from '../../contacts/writing/upsert-contact.ts';
import { automatedSenderOf } from '../../messages/sending/automated/automated-sender-of.ts';
import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { renewLeases } from '../../platform/jobs/renew-leases.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { deleteBot } from '../delete-bot.ts';
import { updateBot } from '../update-bot.ts';
import type { AnswerRow } from './answer-log-queries.ts';
import { answerMessage } from './answer-message.ts';
import { answerQueue, claimAnswers, linkAnswer, settleAnswer } from './answer-queries.ts';
import { pruneOldAnswers } from './prune-answers.ts';
import { maxAnswersPerDay, maxAnswersPerMinute } from './reasons-to-skip.ts';
import { startAnswering } from './start-answering.ts';

const app = testApp();
let sender: AutomatedSender;
let stop: (() => Promise<void>) | undefined;

const start = (lookEveryMs?: number) => {
  stop = startAnswering({ ...app.services, sender, lookEveryMs });
};
const stopAnswering = async () => {
  await stop?.();
  stop = undefined;
};

beforeAll(() => {
  sender = automatedSenderOf(app.services);
  start();
});
afterEach(async () => {
  await app.setClock(0);
  if (!stop) start();
});
afterAll(() => stopAnswering());

let phones = 0;
const newPhone = () => `+1415556${String(++phones).padStart(4, '0')}`;

/** Waits until the tenant's log has so many entries, all settled, and returns them. */
function settled(shop: TestTenant, count: number): Promise<AnswerRow[]> {
  return eventually(async () => {
    const rows = await answersOf(app, shop);
    return rows.length === count && rows.every((row) => row.state !== 'waiting') && rows;
  });
}

/** Waits until the service has processed all messages. */
async function quiet(shop: TestTenant, inbound: number): Promise<void> {
  await eventually(async () => {
    const { rows } = await app.db.query<{ messages: number; due: number }>(sql`
      select (select count(*)::int from stored_messages
              where tenant_id = ${shop.id} and direction = 'in') as messages,
             (select count(*)::int from bot_answers
              where tenant_id = ${shop.id} and due_at is not null) as due`);
    return rows[0]!.messages === inbound && rows[0]!.due === 0;
  });
}

async function setTemplateStatus(shop: TestTenant, status: string): Promise<void> {
  await control(app, 'PATCH', '/simulator/templates', {
    business_account_id: shop.number.business_account_id,
    name: 'order_update',
    language: 'en',
    status,
  });
  await syncTemplates(app.services, shop.id);
}

describe('a message that matches', () => {
  test('is answered once, filled from the contact and the message, however often it is reported', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await shop.call('POST', '/contacts', { firstname: 'Bea', phone, city: 'Lahore' });
    const bot = await testBot(app, shop, {
      match: 'contains',
      keywords: ['price'],
      reply: 'Hi {{firstname}} {{lastname}}of {{city}}, you asked: {{message}}',
    });
    await misbehave(app, shop, { duplicate: 5 });
    await write(app, shop, phone, 'What PRICE?');
    expect(await settled(shop, 1)).toMatchObject([
      {
        phone,
        state: 'sent',
        reason: null,
        bot_id: bot.id,
        bot_name: bot.name,
        inbound: { text: 'What PRICE?' },
      },
    ]);
    await write(app, shop, phone, 'Nothing of interest');
    await quiet(shop, 2);
    expect(await sentTo(app, shop)).toMatchObject([
      { payload: { text: { body: 'Hi Bea of Lahore, you asked: What PRICE?' } } },
    ]);
    expect(await answersOf(app, shop)).toHaveLength(1);
  });

  test.each<[string, (shop: TestTenant, phone: string) => Promise<unknown>]>([
    ['a message created', async () => {}],
    ['a store created', (shop, phone) => upsertContact(app.db, shop.id, { phone })],
  ])('is not filled with the phone as a first name: %s the contact', async (_name, make) => {
    const shop = await app.tenant();
    const phone = newPhone();
    await make(shop, phone);
    await testBot(app, shop, {
      match: 'any',
      reply: 'Hello {{firstname|friend}}, or {{name|whoever}}, at {{phone}}',
    });
    await write(app, shop, phone, { text: 'Hello', profile_name: ' ' });
    await settled(shop, 1);
    expect((await shop.call('GET', '/contacts')).body.data).toMatchObject([{ firstname: phone }]);
    expect(await sentTo(app, shop)).toMatchObject([
      { payload: { text: { body: `Hello friend, or whoever, at ${phone}` } } },
    ]);
  });

  test('is answered with a reply of two open braces and four thousand spaces', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const reply = `x{{${' '.repeat(4_000)}y`;
    const bot = { kind: 'message', name: 'Blanks', match: 'any', keywords: [], reply };
    expect((await owner.call('POST', '/bots', bot)).status).toBe(200);
    await write(app, shop, newPhone(), 'Hello');
    await settled(shop, 1);
    expect(await sentTo(app, shop)).toMatchObject([{ payload: { text: { body: reply } } }]);
  });

  test('is answered when it arrives, not at the next poll', async () => {
    await stopAnswering();
    const never = 2 ** 30;
    start(never);
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', keywords: [], reply: 'At once' });
    for (const count of [1, 2, 3]) {
      await write(app, shop, newPhone(), 'Hello');
      await settled(shop, count);
    }
    await stopAnswering();
  });

  test.each([
    ['the text of a tapped button', { type: 'button', button: { text: 'Stop', payload: 'x' } }],
    ['its payload', { type: 'button', button: { text: 'Enough', payload: 'STOP' } }],
    [
      'a reply button',
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'stop', title: 'No' } },
      },
    ],
    [
      'an entry of a list',
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '7', title: 'Stop' } },
      },
    ],
    ['the caption of a picture', { type: 'image', image: { id: '1', caption: 'stop' } }],
  ])('by %s is answered', async (_, message) => {
    const shop = await app.tenant();
    await testBot(app, shop, { keywords: ['stop'], reply: 'You are off the list.' });
    await write(app, shop, newPhone(), message);
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent' }]);
  });

  test('gets the answer of the most specific bot, and the first message of a phone has its own', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await testBot(app, shop, { match: 'any', reply: 'Anything' });
    await testBot(app, shop, { match: 'first_message', reply: 'Welcome' });
    await testBot(app, shop, { match: 'contains', keywords: ['order'], reply: 'Order' });
    await testBot(app, shop, { match: 'exact', keywords: ['my order'], reply: 'Mine' });
    await stopAnswering();
    const texts = ['hello', 'hello', 'my order', 'an order?'];
    for (const [index, text] of texts.entries()) {
      await write(app, shop, phone, text);
      await eventually(async () => (await answersOf(app, shop)).length === index + 1);
    }
    // The answers have the order of the messages, even if the first needs a retry.
    await misbehave(app, shop, { failWith: 131000 });
    start();
    await eventually(async () => (await answersOf(app, shop)).at(-1)!.reason?.includes('131000'));
    await misbehave(app, shop, { failWith: null });
    await app.setClock(60_000);
    await settled(shop, 4);
    const answers = (await sentTo(app, shop)).map(({ payload }) => payload.text.body);
    expect(answers).toEqual(['Welcome', 'Anything', 'Mine', 'Order']);

    await write(app, shop, newPhone(), { type: 'image', image: { id: '1' } });
    expect((await settled(shop, 5))[0]!.bot_name).toBe('Welcome');
  });

  test('is answered from the number that received it', async () => {
    const shop = await app.tenant();
    const second = await connectTestNumber(app, shop.id);
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await write(app, { ...shop, number: second }, newPhone(), 'Hello');
    await settled(shop, 1);
    expect(await sentTo(app, { ...shop, number: second })).toHaveLength(1);
    expect(await sentTo(app, shop)).toEqual([]);
  });

  test('is answered by a template, and an empty value is reported and not sent', async () => {
    const shop = await app.tenant();
    await syncTemplates(app.services, shop.id);
    await testTemplateBot(app, shop, { fields: ['{{firstname|you}}', '{{city}}', '{{message}}'] });
    const [known, other] = [newPhone(), newPhone()];
    await shop.call('POST', '/contacts', { firstname: 'Bea', phone: known, city: 'Lahore' });
    await write(app, shop, known, 'My order\n\tplease');
    const [first] = await settled(shop, 1);
    expect(first).toMatchObject({ state: 'sent', reason: null });
    await write(app, shop, other, 'My order');
    const [second] = await settled(shop, 2);
    expect(second).toMatchObject({ state: 'skipped', message_id: null });
    expect(second!.reason).toMatch(/Order: field_2 must not be empty/);
    const sent = await sentTo(app, shop);
    expect(sent).toHaveLength(1);
    expect(first!.message_id).toBe(sent[0]!.wamid);
    expect(sent[0]!.payload.template.components).toEqual([
      {
        type: 'body',
        parameters: ['Bea', 'Lahore', 'My order please'].map((text) => ({ type: 'text', text })),
      },
    ]);
  });

  test('is answered only by an active bot of its own tenant', async () => {
    const shop = await app.tenant();
    const other = await app.tenant();
    await testBot(app, other, { match: 'any', reply: 'Not yours' });
    await write(app, other, newPhone(), 'Hello');
    await settled(other, 1);
    const bot = await testBot(app, shop, { match: 'any', reply: 'Off' });
    await updateBot(botServices(app), shop.id, bot.id, { active: false });
    await write(app, shop, newPhone(), 'Hello');
    await quiet(shop, 1);
    expect(await answersOf(app, shop)).toEqual([]);
    expect(await sentTo(app, shop)).toEqual([]);
  });

  test('is never a reaction, edit, deletion or notice, and leaves the queue if no bot matches', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await testBot(app, shop, { match: 'first_message', reply: 'Welcome' });
    await write(app, shop, phone, {
      type: 'reaction',
      reaction: { message_id: 'wamid.A', emoji: '👍' },
    });
    await write(app, shop, phone, {
      type: 'edit',
      edit: {
        original_message_id: 'wamid.A',
        message: { type: 'text', text: { body: 'Hi' } },
      },
    });
    await write(app, shop, phone, {
      type: 'revoke',
      revoke: { original_message_id: 'wamid.A' },
    });
    await write(app, shop, phone, {
      type: 'system',
      system: { type: 'user_changed_number', body: 'Bea changed', new_wa_id: '14155550000' },
    });
    await write(app, shop, phone, { type: 'unsupported', errors: [{ code: 131051 }] });
    await quiet(shop, 5);
    expect(await answersOf(app, shop)).toEqual([]);
    await write(app, shop, phone, 'Hello');
    await write(app, shop, phone, 'Hello again');
    await quiet(shop, 7);
    expect(await answersOf(app, shop)).toMatchObject([{ state: 'sent' }]);
  });
});

describe('a process that dies', () => {
  /** Claims the messages like a process that dies afterwards. */
  async function claimOne(shop: TestTenant) {
    const claimed = await eventually(async () => {
      const all = await claimAnswers(app.db, {
        inFlight: new Map(),
        maxPerTenant: 1,
        limit: 32,
        leaseMs: 10_000,
      });
      return all.find((each) => each.tenant_id === shop.id);
    });
    return claimed;
  }

  test('before it stored the answer leaves the message to another process, after its lease', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await stopAnswering();
    await write(app, shop, newPhone(), 'Hello');
    await claimOne(shop);
    await app.setClock(11_000);
    start();
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent' }]);
    expect(await sentTo(app, shop)).toHaveLength(1);
  });

  test('after it stored the answer leaves an unknown outcome, and the answer is not sent again', async () => {
    const shop = await app.tenant();
    const bot = await testBot(app, shop, { match: 'any', reply: 'Here' });
    await stopAnswering();
    const phone = newPhone();
    await write(app, shop, phone, 'Hello');
    const claimed = await claimOne(shop);
    const number = (await createNumberFinder(app.services).defaultNumber(shop.id))!;
    await app.db.transaction(async (tx) => {
      const ready = sender.prepareText(number, phone, 'Here');
      const messageId = await sender.store(tx, shop.id, ready, { kind: 'bot', id: bot.id });
      await linkAnswer(tx, claimed, { messageId, bot });
    });
    await app.db.query(sql`update bot_answers set attempts = 100 where tenant_id = ${shop.id}`);
    await app.setClock(11_000);
    start();
    // At first it counts as being sent, however often it is checked.
    await eventually(async () => {
      const { rows } = await app.db.query(sql`
        select from bot_answers
        where tenant_id = ${shop.id} and attempts = 101 and settled_at is not null`);
      return rows.length === 1;
    });
    await settleSends(app);
    // After a hundred attempts, the next one is more than a minute later.
    await app.setClock(180_000);
    expect(await settled(shop, 1)).toMatchObject([
      { state: 'unknown', bot_id: bot.id, message_status: 'unknown' },
    ]);
    expect((await answersOf(app, shop))[0]!.reason).toMatch(/not sent again/);
    expect(await sentTo(app, shop)).toEqual([]);
  });

  test.each([
    // Removal is stepwise: the answer is deleted, but the inbound message is not yet.
    ['is deleted', (id: number) => sql`delete from messages where id = ${id}`],
    [
      'the network accepts and then fails,',
      (id: number) => sql`update stored_messages set status = 'failed' where id = ${id}`,
    ],
  ])('leaves an answer that %s afterwards, and it is not sent again', async (_, happen) => {
    const shop = await app.tenant();
    const bot = await testBot(app, shop, { match: 'any', reply: 'Here' });
    await stopAnswering();
    const phone = newPhone();
    await write(app, shop, phone, 'Hello');
    const claimed = await claimOne(shop);
    const number = (await createNumberFinder(app.services).defaultNumber(shop.id))!;
    const ready = sender.prepareText(number, phone, 'Here');
    const messageId = await app.db.transaction(async (tx) => {
      const id = await sender.store(tx, shop.id, ready, { kind: 'bot', id: bot.id });
      await linkAnswer(tx, claimed, { messageId: id, bot });
      return id;
    });
    await sender.send(shop.id, messageId, ready);
    await app.db.query(happen(messageId));
    await app.setClock(11_000);
    start();
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent', bot_id: bot.id }]);
    expect(await sentTo(app, shop)).toHaveLength(1);
  });

  test('delays nothing: a process whose lease has expired stores and sends nothing', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await stopAnswering();
    await write(app, shop, newPhone(), 'Hello');
    const late = await claimOne(shop);
    await app.setClock(11_000);
    await claimOne(shop);
    const numbers = createNumberFinder(app.services);
    const services = { ...app.services, numbers, sender };
    const failed = { state: 'failed' as const, reason: null, bot: null, retryInMs: null };
    await expect(answerMessage(services, late)).rejects.toThrow('another process has claimed');
    await settleAnswer(app.db, late, failed);
    await renewLeases(app.db, answerQueue, [late], { leaseMs: 3_600_000 });
    expect(await sentTo(app, shop)).toEqual([]);
    await app.setClock(22_000);
    start();
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent' }]);
    await expect(answerMessage(services, late)).rejects.toThrow('another process has claimed');
    expect(await sentTo(app, shop)).toHaveLength(1);
  });

  test('is not confused with a slow one, which keeps its leases', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await stopAnswering();
    await write(app, shop, newPhone(), 'Hello');
    const lease = () =>
      eventually(async () => {
        const { rows } = await app.db.query<{ due_at: Date; attempts: number }>(sql`
          select due_at, attempts from bot_answers where tenant_id = ${shop.id}`);
        return rows[0];
      });
    await lease();
    const holdUp = await holdLocks(app, 'lock table messages in share mode');
    start();
    const first = await eventually(async () => {
      const now = await lease();
      return now.attempts === 1 && now;
    });
    await eventually(async () => (await lease()).due_at > first.due_at);
    await holdUp.query('commit');
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent' }]);
    expect(await lease()).toMatchObject({ attempts: 1 });
  });
});

describe('an answer', () => {
  test('whose outcome was lost is unknown and never sent again', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    const phone = newPhone();
    await stopAnswering();
    await write(app, shop, phone, 'Hello');
    await eventually(async () => (await answersOf(app, shop)).length === 1);
    await misbehave(app, shop, {
      answer: 'drop-after-accept',
      callbacks: false,
      stepMs: 1,
      count: 1,
    });
    start();
    const [row] = await settled(shop, 1);
    expect(row).toMatchObject({ state: 'unknown', message_status: 'unknown' });
    expect(row!.reason).toMatch(/not sent again/);
    await app.setClock(3_600_000);
    // A later status callback settles it.
    await readOnThePhone(app, shop, phone);
    await eventually(async () => (await answersOf(app, shop))[0]!.state === 'sent');
    expect(await answersOf(app, shop)).toMatchObject([{ reason: null }]);
    expect(await sentTo(app, shop)).toHaveLength(1);
  });

  test('that was certainly not sent is retried', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await misbehave(app, shop, { failWith: 131000 });
    await write(app, shop, newPhone(), 'Hello');
    await eventually(async () => (await answersOf(app, shop))[0]?.reason?.includes('131000'));
    await misbehave(app, shop, { failWith: null });
    await app.setClock(60_000);
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent', reason: null }]);
    expect(await sentTo(app, shop)).toHaveLength(1);
  });

  test.each([
    ['fails after the third attempt', 2, /131000/],
    ['is given up if every attempt was interrupted', 8, /^Every attempt was interrupted\.$/],
  ])('that was certainly not sent %s', async (_, attempts, reason) => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await misbehave(app, shop, { failWith: 131000 });
    await stopAnswering();
    await write(app, shop, newPhone(), 'Hello');
    await eventually(async () => (await answersOf(app, shop)).length === 1);
    await app.db.query(sql`
      update bot_answers set attempts = ${attempts} where tenant_id = ${shop.id}`);
    start();
    const answer = await eventually(async () => {
      const { rows } = await app.db.query<{ reason: string | null }>(sql`
        select attempts, state, reason, due_at from bot_answers where tenant_id = ${shop.id}`);
      return rows[0]?.reason && rows[0];
    });
    const over = { attempts: attempts + 1, state: 'failed', due_at: null };
    expect(answer).toEqual({ ...over, reason: expect.stringMatching(reason) });
    expect(await sentTo(app, shop)).toEqual([]);
  });

  test('that was certainly not sent fails if no bot matches at the retry', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    const bot = await testBot(app, shop, { match: 'exact', keywords: ['hello'], reply: 'Here' });
    await testBot(app, shop, { match: 'exact', keywords: ['next'], reply: 'There' });
    await misbehave(app, shop, { failWith: 131000 });
    await write(app, shop, phone, 'Hello');
    await write(app, shop, phone, 'Next');
    await eventually(async () => (await answersOf(app, shop)).at(-1)?.reason?.includes('131000'));
    await deleteBot(app.db, shop.id, bot.id);
    await misbehave(app, shop, { failWith: null });
    await app.setClock(60_000);
    expect(await settled(shop, 2)).toMatchObject([
      { state: 'sent', bot_name: 'There' },
      { state: 'failed', reason: 'No bot matches this message any more.', bot_name: 'Here' },
    ]);
  });

  test('that the network refuses permanently fails with its message', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await misbehave(app, shop, { failWith: 131026, failAs: 'answer' });
    await write(app, shop, newPhone(), 'Hello');
    const [row] = await settled(shop, 1);
    expect(row).toMatchObject({ state: 'failed', message_status: 'failed' });
    expect(row!.reason).toMatch(/131026/);
  });

  test('is not sent to a message that is more than an hour old', async () => {
    const shop = await app.tenant();
    await syncTemplates(app.services, shop.id);
    await testTemplateBot(app, shop, { match: 'any', keywords: [], name: 'Late' });
    const post = (phone: string, ageMinutes: number) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - ageMinutes * 60);
      const [from, text] = [phone.slice(1), { body: 'My order' }];
      const messages = [{ id: `wamid.${phone}`, from, timestamp, type: 'text', text }];
      return postCallback(app, shop, { messages });
    };
    await post(newPhone(), 61);
    expect(await settled(shop, 1)).toMatchObject([
      { state: 'skipped', bot_name: 'Late', reason: 'The message is more than an hour old.' },
    ]);
    await post(newPhone(), 59);
    expect((await settled(shop, 2))[0]).toMatchObject({ state: 'sent' });
  });
});

test('a long message is cut so that the template that quotes it stays short enough', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  await testTemplateBot(app, shop, {});
  await write(app, shop, newPhone(), `My order ${'🍵'.repeat(1_000)}`);
  expect(await settled(shop, 1)).toMatchObject([{ state: 'sent', reason: null }]);
  const [sent] = await sentTo(app, shop);
  const [body] = sent!.payload.template.components as [{ parameters: { text: string }[] }];
  expect(body.parameters.map(({ text }) => text)).toEqual([
    'you',
    expect.stringMatching(/^My order 🍵{200,}…$/u),
    'Friday',
  ]);
});

describe('a bot with a pause', () => {
  test('answers a phone again after it, while others and other bots answer', async () => {
    const shop = await app.tenant();
    const [phone, other] = [newPhone(), newPhone()];
    await testBot(app, shop, { match: 'any', reply: 'We reply soon', pause_minutes: 10 });
    await testBot(app, shop, { keywords: ['hours'], reply: '9 to 5' });
    let messages = 0;
    const writeFrom = async (from: string, text: string) => {
      await write(app, shop, from, text);
      return (await settled(shop, ++messages))[0]!;
    };
    expect(await writeFrom(phone, 'Hello')).toMatchObject({ state: 'sent' });
    expect(await writeFrom(phone, 'Are you there?')).toMatchObject({
      state: 'skipped',
      bot_name: 'We reply soon',
      reason: 'The bot replied to this phone less than 10 minutes ago.',
    });
    expect(await writeFrom(phone, 'Hours')).toMatchObject({ state: 'sent', bot_name: '9 to 5' });
    expect(await writeFrom(phone, 'Hours')).toMatchObject({ state: 'sent', bot_name: '9 to 5' });
    expect(await writeFrom(other, 'Hello')).toMatchObject({ state: 'sent' });
    await app.setClock(10 * 60_000 + 1_000);
    expect(await writeFrom(phone, 'Hello')).toMatchObject({ state: 'sent' });
  });

  test('answers after an answer that failed', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await testBot(app, shop, { match: 'any', reply: 'We reply soon', pause_minutes: 10 });
    await misbehave(app, shop, { failWith: 131026, failAs: 'answer', count: 1 });
    await write(app, shop, phone, 'Hello');
    expect(await settled(shop, 1)).toMatchObject([{ state: 'failed' }]);
    await write(app, shop, phone, 'Hello?');
    expect((await settled(shop, 2))[0]).toMatchObject({ state: 'sent' });
  });
});

describe('a conversation of a member', () => {
  test('gets no answers from the assignment until it is closed, and then until the member answers', async () => {
    const shop = await app.tenant();
    const [owner, phone] = [await signIn(app, shop), newPhone()];
    await testBot(app, shop, { match: 'any', reply: 'Later' });
    const change = (body: object) => owner.call('PUT', '/conversation', { phone, ...body });
    let messages = 0;
    const isAnswered = async () => {
      await write(app, shop, phone, `Message ${++messages}`);
      const [{ state, reason }] = (await settled(shop, messages)) as [AnswerRow];
      if (state === 'skipped') expect(reason).toMatch(/^A member has this conversation/);
      return state === 'sent';
    };
    const reply = () =>
      owner.call('POST', '/messages/send', { phone_number: phone, type: 'text', message: 'Hi' });

    expect(await isAnswered()).toBe(true);
    expect((await reply()).status).toBe(200);
    expect(await isAnswered()).toBe(true);
    await change({ assignee: owner.userId });
    expect(await isAnswered()).toBe(false);
    await change({ is_open: false });
    expect(await isAnswered()).toBe(true);
    expect(await isAnswered()).toBe(true);
    await reply();
    expect(await isAnswered()).toBe(false);
    await change({ assignee: null });
    expect(await isAnswered()).toBe(true);
    await change({ assignee: owner.userId, is_open: false });
    expect(await isAnswered()).toBe(true);
    await change({ is_open: false });
    await change({ is_open: true });
    expect(await isAnswered()).toBe(false);
    expect(await sentTo(app, shop)).toHaveLength(8);
  });
});

describe('for safety', () => {
  test('a bot never answers a number of its own tenant', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await write(app, shop, shop.number.display_phone_number!.replace(/[^+\d]/g, ''), 'Hello');
    const [row] = await settled(shop, 1);
    expect(row).toMatchObject({
      state: 'skipped',
      reason: 'The message is from one of your own numbers.',
    });
    expect(await sentTo(app, shop)).toEqual([]);
  });

  test('a person whose phone is hidden is answered by the user id', async () => {
    const shop = await app.tenant();
    const phone = newPhone();
    await testBot(app, shop, { match: 'any', reply: 'Hi {{firstname}}{{phone}}' });
    await write(app, shop, phone, { text: 'Hello', hide_phone: true, profile_name: 'Ana' });
    expect(await settled(shop, 1)).toMatchObject([{ state: 'sent' }]);
    expect(await sentTo(app, shop)).toMatchObject([
      {
        phone: phone.slice(1),
        payload: { recipient: expect.any(String), text: { body: 'Hi Ana' } },
      },
    ]);
  });

  test('one phone gets ten answers a minute, and then none with a reason; others are answered', async () => {
    const shop = await app.tenant();
    const [loop, other] = [newPhone(), newPhone()];
    await testBot(app, shop, { match: 'any', reply: 'No, you' });
    for (let sent = 0; sent < maxAnswersPerMinute + 3; sent++) {
      await write(app, shop, loop, `No, you ${sent}`);
    }
    await write(app, shop, other, 'Hello');
    const rows = await settled(shop, maxAnswersPerMinute + 4);
    const skipped = rows.filter(({ state }) => state === 'skipped');
    expect(skipped.map(({ phone }) => phone)).toEqual([loop, loop, loop]);
    expect(skipped[0]!.reason).toMatch(/^This phone got 10 replies within a minute/);
    expect(rows.find(({ phone }) => phone === other)?.state).toBe('sent');
    expect(await sentTo(app, shop)).toHaveLength(maxAnswersPerMinute + 1);
    await app.setClock(61_000);
    await write(app, shop, loop, 'Hello again');
    expect((await settled(shop, maxAnswersPerMinute + 5))[0]!.state).toBe('sent');

    // As if the clock had been set back.
    await app.db.query(sql`
      update bot_answers set answered_at = answered_at + interval '1 hour'
      where tenant_id = ${shop.id}`);
    await write(app, shop, loop, 'Still there?');
    expect((await settled(shop, maxAnswersPerMinute + 6))[0]!.state).toBe('sent');
  });

  test('one phone gets a hundred answers a day, and then none with a reason', async () => {
    const shop = await app.tenant();
    const [loop, other] = [newPhone(), newPhone()];
    await testBot(app, shop, { match: 'any', reply: 'No, you' });
    // Two bots that answer slowly.
    await app.db.query(sql`
      with inbound as (
        insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
        select ${shop.id}, ${shop.number.id}, 'in', ${loop}, 'text', '{"text": "No, you"}', 'received'
        from generate_series(2, ${maxAnswersPerDay}::int)
        returning id
      )
      insert into bot_answers (tenant_id, inbound_id, phone, state, due_at, message_id, answered_at)
      select ${shop.id}, id, ${loop}, 'sent', null, id, now() - interval '2 hours' from inbound`);
    const writeFrom = async (phone: string, text: string) => {
      await write(app, shop, phone, text);
      return eventually(async () => {
        const [row] = await answersOf(app, shop);
        return row!.inbound.text === text && row!.state !== 'waiting' && row!;
      });
    };
    expect(await writeFrom(loop, 'No, you 100')).toMatchObject({ state: 'sent' });
    const row = await writeFrom(loop, 'No, you 101');
    expect(row.state).toBe('skipped');
    expect(row.reason).toMatch(/^This phone got 100 replies within 24 hours/);
    expect(await writeFrom(other, 'Hello')).toMatchObject({ state: 'sent' });
    await app.db.query(sql`
      update bot_answers set answered_at = answered_at - interval '22 hours'
      where tenant_id = ${shop.id}`);
    expect(await writeFrom(loop, 'No, you 102')).toMatchObject({ state: 'sent' });
  });

  test('a bot whose template is no longer approved is skipped, and the log has the reason', async () => {
    const shop = await app.tenant();
    await syncTemplates(app.services, shop.id);
    await testTemplateBot(app, shop, {});
    await setTemplateStatus(shop, 'PAUSED');
    await write(app, shop, newPhone(), 'My order');
    const [row] = await settled(shop, 1);
    expect(row).toMatchObject({ state: 'skipped', bot_name: 'Order' });
    expect(row!.reason).toMatch(/^Order: .*not approved.*PAUSED/);

    await testBot(app, shop, { match: 'any', reply: 'We will see.' });
    await write(app, shop, newPhone(), 'My order');
    const [next] = await settled(shop, 2);
    expect(next).toMatchObject({ state: 'sent', bot_name: 'We will see.' });
    expect(next!.reason).toMatch(/^Order: .*not approved/);
    expect(await sentTo(app, shop)).toHaveLength(1);
  });

  test('a number that is no longer connected answers nothing', async () => {
    const shop = await app.tenant();
    await testBot(app, shop, { match: 'any', reply: 'Here' });
    await stopAnswering();
    await write(app, shop, newPhone(), 'Hello');
    await eventually(async () => (await answersOf(app, shop)).length === 1);
    await app.db.query(sql`
      update numbers set disconnected_at = now() where tenant_id = ${shop.id}`);
    start();
    const [row] = await settled(shop, 1);
    expect(row).toMatchObject({ state: 'skipped' });
    expect(row!.reason).toMatch(/no longer connected/);
  });
});

test('the answers of bots are deleted with the contact', async () => {
  const shop = await app.tenant();
  await testBot(app, shop, { match: 'any', reply: 'Here' });
  await write(app, shop, newPhone(), 'Hello');
  await settled(shop, 1);
  const [contact] = (await shop.call('GET', '/contacts')).body.data;
  await shop.call('DELETE', `/contacts/${contact.id}`);
  expect(await answersOf(app, shop)).toEqual([]);
});

test('after its contact was deleted, the next message of a phone counts as its first', async () => {
  const shop = await app.tenant();
  const phone = newPhone();
  await testBot(app, shop, { match: 'first_message', reply: 'Welcome' });
  await write(app, shop, phone, 'Hello');
  await settled(shop, 1);
  const [contact] = (await shop.call('GET', '/contacts')).body.data;
  await shop.call('DELETE', `/contacts/${contact.id}`);
  await write(app, shop, phone, 'Hello');
  await settled(shop, 1);
  expect(await sentTo(app, shop)).toHaveLength(2);
});

test('a tenant whose network is slow does not delay others', async () => {
  const [slow, quick] = [await app.tenant(), await app.tenant()];
  for (const shop of [slow, quick]) await testBot(app, shop, { match: 'any', reply: 'Here' });
  await misbehave(app, slow, { delayMs: 1_200 });
  const flood = 40;
  await stopAnswering();
  for (let sent = 0; sent < flood; sent++) await write(app, slow, newPhone(), 'Hello');
  await eventually(async () => (await answersOf(app, slow)).length === flood);
  start();
  await write(app, quick, newPhone(), 'Hello');
  expect(await settled(quick, 1)).toMatchObject([{ state: 'sent' }]);
  const waiting = (await answersOf(app, slow)).filter(({ state }) => state === 'waiting');
  expect(waiting.length).toBeGreaterThan(flood / 2);
  expect((await sentTo(app, slow)).length).toBeLessThan(flood / 2);
  await misbehave(app, slow, { delayMs: null });
  await settled(slow, flood);
});

test('if there is not room for all, a tenant with nothing claimed comes before one with more', async () => {
  const [flood, other] = [await app.tenant(), await app.tenant()];
  for (const shop of [flood, other]) await testBot(app, shop, { match: 'any', reply: 'Here' });
  await stopAnswering();
  for (const shop of [flood, other]) await write(app, shop, newPhone(), 'Hello');
  for (const shop of [flood, other]) {
    await eventually(async () => (await answersOf(app, shop)).length === 1);
  }
  const claimed = await claimAnswers(app.db, {
    inFlight: new Map([[flood.id, 1]]),
    maxPerTenant: 4,
    limit: 1,
    leaseMs: 0,
  });
  expect(claimed).toMatchObject([{ tenant_id: other.id }]);
  start();
  for (const shop of [flood, other]) await settled(shop, 1);
});

test('old answers of bots are deleted from the log', async () => {
  const shop = await app.tenant();
  await testBot(app, shop, { match: 'any', reply: 'Here' });
  for (const text of ['old', 'new']) await write(app, shop, newPhone(), text);
  await settled(shop, 2);
  await app.db.query(sql`
    update bot_answers set created_at = now() - interval '31 days'
    where tenant_id = ${shop.id} and inbound_id = (
      select id from stored_messages where tenant_id = ${shop.id} and content ->> 'text' = 'old')`);
  await pruneOldAnswers(app.services);
  expect((await answersOf(app, shop)).map(({ inbound }) => inbound.text)).toEqual(['new']);
});
