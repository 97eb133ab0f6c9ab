import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { testApp } from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { control } from '../../../../test/servers/control.ts';
import { numberCommands } from './number.ts';

const app = testApp();
const { run, parley } = testCommand(app, numberCommands, () => ({
  PARLEY_NETWORK_URL: app.simulator.url,
}));

/** Writes the secrets of a number into files, as options of the command. */
async function secretFiles(number: { access_token: string; app_secret: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [token, secret] = [join(folder, 'token'), join(folder, 'secret')];
  await writeFile(token, number.access_token);
  await writeFile(secret, number.app_secret);
  return ['--access-token-file', token, '--app-secret-file', secret];
}

test('the command connects the one number that a token sees', async () => {
  const shop = await app.tenant({ number: false });
  const made = await control(app, 'POST', '/simulator/numbers', {});
  const connected = await parley('connect', shop.slug, ...(await secretFiles(made)));
  expect(connected.number).toMatchObject({
    phone_number_id: made.phone_number_id,
    business_account_id: made.business_account_id,
  });
  // Nothing listens at the base URL of tests.
  expect(connected.number.state).toBe('does_not_work');
  expect(connected.checks.filter(({ ok }: { ok: boolean }) => !ok)).toMatchObject([
    { name: 'address', fix: expect.stringContaining('PARLEY_BASE_URL') },
  ]);
  const [listed] = (await parley('list', shop.slug)).numbers;
  expect(listed).toMatchObject({ default: true, state: 'does_not_work' });
  await expect(run('verify', shop.slug, made.phone_number_id)).rejects.toThrow(
    'The number does not work: ',
  );
});

test('the command names the numbers if a token sees several, and connects none', async () => {
  const shop = await app.tenant({ number: false });
  const made = await control(app, 'POST', '/simulator/numbers', {});
  const { business_account_id } = made;
  const second = await control(app, 'POST', '/simulator/numbers', { business_account_id });
  const files = await secretFiles(made);
  await expect(run('connect', shop.slug, ...files)).rejects.toThrow(
    'The token sees 2 numbers, so none was connected. Choose one with --phone-number-id.',
  );
  expect((await parley('list', shop.slug)).numbers).toEqual([]);
  const chosen = ['--phone-number-id', second.phone_number_id];
  const connected = await parley('connect', shop.slug, ...files, ...chosen);
  expect(connected.number.phone_number_id).toBe(second.phone_number_id);
});

test('the command waits for the message that proves a number', async () => {
  const shop = await app.tenant();
  const listed = async () => (await parley('list', shop.slug)).numbers[0];
  const { phone_number_id } = shop.number;
  // Something is heard already, but no message.
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550177',
    type: 'text',
    message: 'Hello',
  });
  await eventually(async () => (await listed()).heard_at !== null);
  expect((await listed()).state).toBe('not_verified');
  // The network reports at another name than the base URL, as after a move to another cell.
  const verified = parley('verify', shop.slug, phone_number_id, '--wait', '5m');
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id,
    from: '+14155550177',
    text: 'Hello',
  });
  expect(await verified).toMatchObject({ state: 'works', number: { phone_number_id } });
});

test('verify without an id checks all numbers of the tenant', async () => {
  const shop = await app.tenant();
  const first = shop.number.phone_number_id;
  // The network reports to the app's own address, which is not its base URL.
  const alone = await parley('verify', shop.slug, '--take-over');
  expect(alone.numbers).toMatchObject([
    { number: { phone_number_id: first }, state: 'not_verified', checks: expect.any(Array) },
  ]);
  const made = await control(app, 'POST', '/simulator/numbers', {});
  await parley('connect', shop.slug, ...(await secretFiles(made)));
  const second = made.phone_number_id;
  await expect(run('verify', shop.slug, '--take-over')).rejects.toThrow(
    new RegExp(`^\\+[\\d ]+ \\(${second}\\): The number does not work: `),
  );
  await expect(run('verify', shop.slug, '--pin-file', 'pin')).rejects.toThrow(
    '--pin-file needs the id of one number',
  );
  for (const id of [first, second]) await run('disconnect', shop.slug, id);
  await expect(run('verify', shop.slug)).rejects.toThrow(`${shop.slug} has no connected number.`);
});
