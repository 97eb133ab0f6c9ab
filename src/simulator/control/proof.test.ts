import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../start-simulator.ts';
import { isSimulator } from './proof.ts';

test('a simulator proves its identity with its key, and another program at its port cannot', async () => {
  const simulator = await startSimulator();
  const { url, port, proofKey: key } = simulator;
  expect(await isSimulator({ url, key })).toBe(true);
  const recorded = await fetch(`${url}/simulator/proof?challenge=earlier`);
  const proof = await recorded.text();
  await simulator.close();
  expect(await isSimulator({ url, key })).toBe(false);

  const impostor = createServer((_, response) => response.end(proof));
  await once(impostor.listen(port, '127.0.0.1'), 'listening');
  expect((impostor.address() as AddressInfo).port).toBe(port);
  expect(await isSimulator({ url, key })).toBe(false);
  impostor.closeAllConnections();
  impostor.close();

  const another = await startSimulator({ port });
  onTestFinished(() => another.close());
  expect(await isSimulator({ url, key })).toBe(false);
});
