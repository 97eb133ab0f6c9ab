import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../../test/servers/simulator.ts';

test('of a reaction, only the sending is reported, and it fails if there is nothing to react to', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  await network.behave({ autoRead: true });
  const react = async (message_id: string, emoji = '👍') => {
    const reaction = { message_id, emoji };
    const { body } = await network.send({ type: 'reaction', text: undefined, reaction });
    return body.messages[0].id as string;
  };
  const inbound = { phone_number_id, text: 'Hi' };
  const write = async (from: string) =>
    (await network.call('POST', '/simulator/inbound', { ...inbound, from })).body.message_id;

  const own = (await network.send()).body.messages[0].id;
  const theirs = await write('15551234567');
  const good = [
    await react(own),
    await react(theirs),
    await react(theirs, ''),
    await react(theirs, '1️⃣'),
  ];
  const bad = [
    await react('wamid.unknown'),
    await react(await write('15557654321')),
    await react(good[0]!),
    await react(theirs, 'hello'),
  ];
  const last = (await network.send()).body.messages[0].id;
  const statuses = () =>
    Object.entries(Object.groupBy(network.receiver.statuses(), ({ id }) => String(id))).map(
      ([id, ofMessage]) => [id, ofMessage!.map(({ status }) => status).join()],
    );
  // The last message is read after everything else would have been.
  await eventuallyHolds(() =>
    expect(Object.fromEntries(statuses())).toEqual({
      [own]: 'sent,delivered,read',
      [last]: 'sent,delivered,read',
      ...Object.fromEntries(good.map((id) => [id, 'sent'])),
      ...Object.fromEntries(bad.map((id) => [id, 'failed'])),
    }),
  );
  const failed = network.receiver.statuses().filter(({ status }) => status === 'failed');
  for (const { errors } of failed) expect(errors).toMatchObject([{ code: 131009 }]);
});
