import { expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { onEveryConnection } from '../../../../test/database/every-connection.ts';
import { settleSends } from '../../../../test/features/settle-sends.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { control } from '../../../../test/servers/control.ts';
import { watchChannel } from '../../../tenants/watched-topics.ts';
import type { BegunSend, NewMessage } from '../../sending/begin-sends.ts';
import type { Completion } from '../../sending/send-outcome.ts';
import { createSendWriter } from '../../sending/write-sends.ts';
import { readWatchedChanges, watchConversations } from './conversation-changes.ts';

const app = testApp();

test('watchers are notified of sent and received messages, and other tenants cause no notification', async () => {
  const watched = await app.tenant();
  const other = await app.tenant();
  const notified: string[] = [];
  await app.db.listen(watchChannel, (payload) => {
    const notification = readWatchedChanges(payload);
    for (const { phone } of notification?.changes ?? []) {
      notified.push(`${notification!.tenantId} ${phone}`);
    }
  });
  await watchConversations(app.db, watched.id, 60_000);

  await sendAndReceive(other, '+14155550101');
  await sendAndReceive(watched, '+14155550102');
  // Notifications arrive in commit order, so one of the other tenant would have arrived by now.
  await eventually(async () => notified.length >= 2);
  expect(new Set(notified)).toEqual(new Set([`${watched.id} +14155550102`]));

  await app.db.pool.query('update conversation_watches set until = now()');
  await sendAndReceive(watched, '+14155550103');
  await watchConversations(app.db, other.id, 60_000);
  await sendAndReceive(other, '+14155550104');
  await eventually(async () => notified.includes(`${other.id} +14155550104`));
  expect(notified).not.toContain(`${watched.id} +14155550103`);
});

test('watchers are notified of a send that ends while another begins, and of a refused one', async () => {
  const shop = await app.tenant();
  const notified: string[] = [];
  await app.db.listen(watchChannel, (payload) => notified.push(phonesOf(payload)));
  await watchConversations(app.db, shop.id, 60_000);
  const { begin, complete } = createSendWriter(app.services);
  const first = await begin(messageOf(shop, '+14155550101'));
  // Called in one event-loop tick, so that they run as one statement.
  const [second] = await Promise.all([
    begin(messageOf(shop, '+14155550102')),
    complete(sent(shop, first)),
  ]);
  expect(await batchedStatementNames()).toContainEqual(
    expect.stringMatching(/^begin-and-end-sends/),
  );
  await complete(sent(shop, second));
  const third = await begin(messageOf(shop, '+14155550103'));
  await complete({ ...sent(shop, third), status: 'failed', networkId: null, refunded: true });
  const expected = [1, 2, 3].map((each) => `${shop.id} +1415555010${each}`);
  await eventually(async () => expected.every((each) => notified.includes(each)));
});

test('watchers are notified of an abandoned send', async () => {
  const shop = await app.tenant();
  const notified: string[] = [];
  await app.db.listen(watchChannel, (payload) => notified.push(phonesOf(payload)));
  await watchConversations(app.db, shop.id, 60_000);
  await app.db.pool.query(
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
     select $1, $2, 'out', '+14155550101', 'text', '{"text":"Hello"}', 'accepting'
     from generate_series(1, 2)`,
    [shop.id, shop.number.id],
  );
  expect(await settleSends(app)).toBe(2);
  await eventually(async () => notified.includes(`${shop.id} +14155550101`));
});

test('a later watch never ends an earlier one', async () => {
  const shop = await app.tenant();
  await watchConversations(app.db, shop.id, 60_000);
  await watchConversations(app.db, shop.id, 1);
  const { rows } = await app.db.pool.query(
    `select until > now() + interval '30 s' as lasts from conversation_watches where tenant_id = $1`,
    [shop.id],
  );
  expect(rows).toEqual([{ lasts: true }]);
});

/** The payload without the ids of messages. */
function phonesOf(payload: string): string {
  const { tenantId, changes = [] } = readWatchedChanges(payload) ?? {};
  return [tenantId, ...new Set(changes.map(({ phone }) => phone))].join(' ');
}

function messageOf({ id, tokenId, number }: TestTenant, phone: string): NewMessage {
  return {
    tenantId: id,
    tokenId,
    requestsPerMinute: 1_000,
    messagesPerDay: null,
    numberIds: [number.id],
    phone,
    kind: 'text',
    content: { text: 'Hello' },
    reference: null,
    memberId: null,
    attemptId: null,
    counted: undefined,
  };
}

function sent(shop: TestTenant, { id }: BegunSend): Completion {
  return {
    tenantId: shop.id,
    id: id!,
    status: 'sent',
    networkId: `wamid.${id}`,
    error: null,
    refunded: false,
  };
}

/** Names of the statements that the connections for batches have prepared. */
async function batchedStatementNames(): Promise<string[]> {
  const names = await onEveryConnection(app.db.fair, async (client) => {
    const { rows } = await client.query('select name from pg_prepared_statements');
    return rows.map(({ name }) => name);
  });
  return names.flat();
}

/** Sends a text and receives one; both are stored when it resolves. */
async function sendAndReceive(shop: TestTenant, phone: string): Promise<void> {
  const sent = await shop.call('POST', '/messages/send', {
    phone_number: phone,
    type: 'text',
    message: 'Hello',
  });
  expect(sent.status).toBe(200);
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from: phone,
    text: 'Hello back',
  });
  await eventually(async () => {
    const { rows } = await app.db.pool.query(
      `select from stored_messages where tenant_id = $1 and phone = $2 and direction = 'in'`,
      [shop.id, phone],
    );
    return rows.length === 1;
  });
}
