import { expect, test } from 'vitest';
import { testApp } from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { connectTestNumber } from '../../../../test/servers/control.ts';
import { numberCommands } from './number.ts';

const app = testApp();
const { run, parley } = testCommand(app, numberCommands, () => ({
  PARLEY_NETWORK_URL: app.simulator.url,
}));

test('the default number is listed, chosen, and replaced when it is disconnected', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  const listed = async () =>
    (await parley('list', shop.slug)).numbers.map(
      (each: { phone_number_id: string; default: boolean }) => [each.phone_number_id, each.default],
    );
  const [a, b] = [shop.number.phone_number_id, second.phone_number_id];
  expect(await listed()).toEqual([
    [a, true],
    [b, false],
  ]);
  expect(await run('set-default', shop.slug, b)).toContain(
    `Messages are now sent from ${second.display_phone_number}.`,
  );
  expect(await listed()).toEqual([
    [a, false],
    [b, true],
  ]);
  // The base URL of the command is another one, so that the callback URL may be of another installation.
  expect(await run('disconnect', shop.slug, b)).toBe(
    `Disconnected ${b}. Messages are now sent from ${shop.number.display_phone_number}. WhatsApp reports its messages to ${app.url}/whatsapp/callbacks/${second.callback_id} now.\n`,
  );
  expect(await listed()).toEqual([[a, true]]);
  await expect(run('set-default', shop.slug, b)).rejects.toThrow(`has no connected number ${b}`);
  await expect(run('disconnect', shop.slug, b)).rejects.toThrow(`has no connected number ${b}`);
});

test('the marketing endpoint of a number is off until it is switched on', async () => {
  const shop = await app.tenant();
  const id = shop.number.phone_number_id;
  const isOn = async () => (await parley('list', shop.slug)).numbers[0].marketing_endpoint;
  expect(await isOn()).toBe(false);
  const { number } = await parley('set', shop.slug, id, '--marketing-endpoint', 'on');
  expect([number.marketing_endpoint, await isOn()]).toEqual([true, true]);
  await run('set', shop.slug, id, '--marketing-endpoint', 'off');
  expect(await isOn()).toBe(false);
  await expect(run('set', shop.slug, '1', '--marketing-endpoint', 'on')).rejects.toThrow(
    'has no connected number 1',
  );
});
