import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { messageCommands } from './message.ts';

const app = testApp();
const { run, parley } = testCommand(app, messageCommands);
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

test('message list finds messages by filters, and show has one by either id', async () => {
  const shop = await app.tenant();
  const sent = await shop.call('POST', '/messages/send', { ...text, reference: 'order-1042' });
  await misbehave(app, shop, { answer: 'drop-after-accept', callbacks: false });
  const lost = await shop.call('POST', '/messages/send', text);

  const { id, message_id } = sent.body.data;
  const unknown = await parley('list', shop.slug, '--status', 'unknown');
  expect(unknown).toMatchObject({ messages: [{ id: lost.body.data.id, status: 'unknown' }] });
  await misbehave(app, shop, { failWith: 131026, failAs: 'answer' });
  const refused = await shop.call('POST', '/messages/send', text);
  const failed = await parley('list', shop.slug, '--error-code', '131026');
  expect(failed.messages).toMatchObject([{ status: 'failed', error: { code: 131026 } }]);
  expect(refused.status).toBe(422);
  expect((await parley('list', shop.slug, '--error-code', 'none')).messages).toEqual([]);
  const filters = ['--reference', 'order-1042', '--cause', 'api', '--since', '1h'];
  expect(await parley('list', shop.slug, ...filters)).toMatchObject({ messages: [{ id }] });
  expect((await parley('list', shop.slug, '--limit', '1')).messages).toHaveLength(1);

  const shown = await parley('show', shop.slug, String(id));
  expect(shown).toMatchObject({ id, message_id, reference: 'order-1042' });
  expect(await parley('show', shop.slug, message_id)).toEqual(shown);
  expect(await run('list', shop.slug)).toMatch(/order-1042 +Hello/);
});

test('message show has received and imported messages, by either id', async () => {
  const shop = await app.tenant();
  const { phone_number_id } = shop.number;
  const from = '14155550188';
  const message = { from, id: 'wamid.past', timestamp: '1760000000', type: 'text' };
  const past = { ...message, text: { body: 'Long ago' }, history_context: { status: 'READ' } };
  const value = { history: [{ threads: [{ id: from, messages: [past] }] }] };
  await control(app, 'POST', '/simulator/changes', { phone_number_id, field: 'history', value });
  const written = { phone_number_id, from: `+${from}`, text: 'Hello' };
  await control(app, 'POST', '/simulator/inbound', written);
  const list = async () => (await parley('list', shop.slug, '--direction', 'in')).messages;
  await eventually(async () => (await list()).length === 2);
  const [received, imported] = await list();
  expect(received.id).toBeGreaterThan(0);
  expect(imported).toMatchObject({ message_id: 'wamid.past', content: { text: 'Long ago' } });
  expect(imported.id).toBeLessThan(0);
  for (const { id, message_id } of [received, imported]) {
    expect(await parley('show', shop.slug, String(id))).toMatchObject({ id, message_id });
    expect(await parley('show', shop.slug, message_id)).toMatchObject({ id, message_id });
  }
  const other = await app.tenant();
  await expect(run('show', other.slug, received.message_id)).rejects.toThrow('has no message');
});

test.each([
  [['list', '--status', 'lost'], /--status must be one of unknown, sent/],
  [['list', '--error-code', 'gone'], /--error-code must be an error code of the network, or none/],
  [['list', '--contact', 'Ada'], /"Ada" is not the id of a contact/],
  [['list', '--limit', '0'], /--limit must be an integer from 1 to 10000/],
  [['list', '--number', '1'], /number is not a number of this tenant/],
  [['show', '999'], /has no message 999/],
  [['show', '-999'], /has no message -999/],
])('message %j fails with a sentence', async ([word, ...options], problem) => {
  const shop = await app.tenant();
  await expect(parley(word!, shop.slug, ...options)).rejects.toThrow(problem);
});
