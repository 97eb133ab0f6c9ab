import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { testApp } from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { startReceiver } from '../../../../test/servers/receiver.ts';
import { startDelivering } from '../../../webhooks/delivering/start-delivering.ts';
import { recordEvents } from '../../../webhooks/record-events.ts';
import { webhookCommands } from './webhook.ts';

const app = testApp({ PARLEY_WEBHOOK_SCHEDULE: '0,3600' });
const { parley } = testCommand(app, webhookCommands, () => ({
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
}));
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  stop = startDelivering(app.services);
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

test('endpoints are added, listed, changed, paused, tested and removed by name; without one, default is meant', async () => {
  const { slug, id, number } = await app.tenant();
  const url = `${receiver.url}/${slug}`;
  const first = await parley('set', slug, '--url', `${url}/first`);
  const file = join(app.services.config.dataDir, `${slug}.headers`);
  await writeFile(file, 'X-Gateway-Key: hush\n\nx-route: b:c\n');
  const options = ['--events', 'contact.*,message.*', '--numbers', number.phone_number_id];
  const added = await parley(
    ...['add', slug, '--name', 'CRM', '--url', `${url}/crm`, ...options],
    ...['--kinds', 'text,image', '--ordered', '--gather', '5', '--header-file', file],
  );
  expect(added).toMatchObject({
    name: 'CRM',
    events: ['contact.*', 'message.*'],
    numbers: [number.phone_number_id],
    kinds: ['text', 'image'],
    causes: null,
    ordered: true,
    gather_seconds: 5,
    header_names: ['x-gateway-key', 'x-route'],
    state: 'on',
    secret: expect.stringMatching(/^whsec_/),
  });
  const { webhooks } = await parley('list', slug);
  expect(webhooks).toEqual([first.webhook, added.webhook]);
  expect(JSON.stringify(webhooks)).not.toMatch(/hush|whsec_/);

  const changed = await parley(
    ...['set', slug, '--endpoint', 'crm', '--url', `${url}/crm`, '--numbers', 'all'],
    ...['--gather', 'off', '--no-ordered'],
  );
  expect(changed).toMatchObject({
    numbers: null,
    kinds: ['text', 'image'],
    ordered: false,
    gather_seconds: null,
    secret: added.secret,
  });
  expect(await parley('pause', slug, '--endpoint', 'CRM')).toMatchObject({ state: 'paused' });
  await recordEvents(app.db, id, [{ type: 'contact.created', data: { id: 1 } }]);
  await eventually(async () => {
    const { deliveries } = await parley('deliveries', slug, '--state', 'delivered');
    return deliveries.length === 1;
  });
  const { deliveries } = await parley('deliveries', slug, '--endpoint', 'CRM');
  expect(deliveries).toMatchObject([{ state: 'waiting', event: 'contact.created' }]);
  expect(await parley('resume', slug, '--endpoint', 'CRM')).toMatchObject({ state: 'on' });
  const sent = await parley('test', slug, '--endpoint', 'CRM');
  expect(sent.state).toBe('delivered');
  const paths = receiver.received.filter(({ path }) => path === `/${slug}/crm`);
  expect(paths.map(({ headers }) => headers['x-route'])).toEqual(['b:c', 'b:c']);
  const eventId = deliveries[0].webhook_id;
  expect(await parley('redeliver', slug, eventId, '--endpoint', 'CRM')).toEqual({ redelivered: 1 });

  expect(await parley('off', slug, '--endpoint', 'CRM')).toMatchObject({ state: 'off' });
  expect(await parley('show', slug)).toMatchObject({ name: 'default', state: 'on' });
  expect(await parley('remove', slug, 'CRM')).toEqual({ removed: 'CRM' });
  await expect(parley('show', slug, '--endpoint', 'CRM')).rejects.toThrow(
    `${slug} has no webhook endpoint "CRM". See \`parley webhook list ${slug}\`.`,
  );
});

test('a wrong option is refused, and nothing is added', async () => {
  const { slug } = await app.tenant({ number: false });
  const file = join(app.services.config.dataDir, `${slug}.headers`);
  await writeFile(file, 'no colon\n');
  const add = (...options: string[]) =>
    parley('add', slug, '--name', 'CRM', '--url', 'https://hooks.example.com/', ...options);
  await expect(add('--header-file', file)).rejects.toThrow('Line 1 of the header file');
  await expect(add('--events', 'contact.*', '--gather', 'soon')).rejects.toThrow('from 1 to 60');
  await expect(add('--events', 'calls.*')).rejects.toThrow('The events are contact.created');
  await expect(add('--numbers', '1')).rejects.toThrow('not a number of this tenant');
  expect(await parley('list', slug)).toEqual({ webhooks: [] });
});
