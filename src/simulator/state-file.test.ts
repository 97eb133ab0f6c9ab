import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventuallyHolds } from '../../test/checks/eventually.ts';
import { startTestSimulator } from '../../test/servers/simulator.ts';
import { createNetwork } from './network.ts';
import { startSimulator } from './start-simulator.ts';
import { persistState } from './state-file.ts';
import type { Phone } from './types.ts';

async function newStateFile() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-simulator-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'deep', 'simulator.json');
}

test('numbers, templates and conversations survive a restart', async () => {
  const stateFile = await newStateFile();
  const network = await startTestSimulator({ stateFile });
  const { business_account_id } = network.number;
  const status = { business_account_id, name: 'hello_world', status: 'PAUSED' };
  await network.call('PATCH', '/simulator/templates', status);
  await network.send({ text: { body: 'Remember' } });
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  await network.close();

  const again = await startSimulator({ stateFile });
  onTestFinished(() => again.close());
  const get = async (path: string) => (await fetch(again.url + path)).json();
  expect(await get('/simulator/numbers')).toEqual({ numbers: [network.number] });
  expect(await get('/simulator/messages')).toMatchObject({
    messages: [{ status: 'delivered', payload: { text: { body: 'Remember' } } }],
  });
  const { templates } = (await get('/simulator/templates')) as { templates: { name: string }[] };
  expect(templates.find((one) => one.name === 'hello_world')).toMatchObject({ status: 'PAUSED' });
});

test('pending statuses are reported after a restart', async () => {
  const stateFile = await newStateFile();
  const network = await startTestSimulator({ stateFile });
  await network.behave({ retryDelaysMs: [60_000], stepMs: 60_000 });
  network.receiver.answers.push(503);
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(1));
  await network.close();

  const again = await startSimulator({ stateFile });
  onTestFinished(() => again.close());
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(3));
  const statuses = network.receiver.statuses().map((one) => one.status);
  expect(statuses.sort()).toEqual(['delivered', 'sent', 'sent']);
});

test('the file is written while the simulator runs', async () => {
  const stateFile = await newStateFile();
  const network = await startTestSimulator({ stateFile });
  await eventuallyHolds(async () => {
    const saved = JSON.parse(await readFile(stateFile, 'utf8'));
    expect(saved.numbers).toEqual([network.number]);
  });
});

test('a large state is saved less often, so that saving takes little of the time', async () => {
  const stateFile = await newStateFile();
  const network = createNetwork(() => {}, null, { window: false });
  onTestFinished(() => network.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = persistState(network, stateFile);
  const writingTakesMs = 20;
  let saves = 0;
  // Writing it takes as long as that of thousands of messages.
  const phone = {
    toJSON: () => {
      saves++;
      const until = performance.now() + writingTakesMs;
      while (performance.now() < until);
    },
  };
  network.state.phones.set('1', phone as unknown as Phone);
  const change = () => network.state.changes.emit('any');
  change();
  vi.advanceTimersByTime(500);
  expect(saves).toBe(1);
  while (!existsSync(stateFile)) await setImmediate();
  let restedMs = 0;
  for (; saves < 2; restedMs += 100) {
    change();
    vi.advanceTimersByTime(100);
    await setImmediate();
  }
  expect(restedMs).toBeGreaterThanOrEqual(50 * writingTakesMs);
  stop();
});

test('an uploaded file is saved soon, without another change', async () => {
  const stateFile = await newStateFile();
  const network = await startTestSimulator({ stateFile });
  const saved = async () => JSON.parse(await readFile(stateFile, 'utf8'));
  await eventuallyHolds(async () => expect((await saved()).numbers).toHaveLength(1));
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('file', new Blob(['%PDF-'], { type: 'application/pdf' }), 'a.pdf');
  const uploaded = await fetch(`${network.url}/v25.0/${network.number.phone_number_id}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.number.access_token}` },
    body: form,
  });
  const { id } = (await uploaded.json()) as { id: string };
  await eventuallyHolds(async () => expect((await saved()).media).toMatchObject([{ id }]));
});

test('an unreadable state file is renamed and not lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-simulator-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stateFile = join(folder, 'simulator.json');
  await writeFile(stateFile, '{"version":1,"numbers":[');
  const network = await startTestSimulator({ stateFile });
  expect(await readFile(`${stateFile}.unreadable`, 'utf8')).toBe('{"version":1,"numbers":[');
  expect((await network.send()).status).toBe(200);
});
