import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventuallyHolds } from '../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../test/servers/simulator.ts';
import { makeCertificates } from '../../platform/tls/make-certificates.ts';

test('a callback without a 200 response is repeated with the same bytes', async () => {
  const network = await startTestSimulator();
  await network.behave({ retryDelaysMs: [0, 10, 20], skipDelivered: true });
  network.receiver.answers.push(500, 301, 204);
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(4));
  const [first, ...repeats] = network.receiver.posts;
  for (const repeat of repeats) {
    expect(repeat.raw.equals(first?.raw as Buffer)).toBe(true);
    expect(repeat.headers['x-hub-signature-256']).toBe(first?.headers['x-hub-signature-256']);
  }
});

test('retries end after the last delay', async () => {
  const network = await startTestSimulator();
  await network.behave({ retryDelaysMs: [0], skipDelivered: true });
  network.receiver.answers.push(500, 500);
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(2));
  // A later message is reported, and the first one is not sent a third time.
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(3));
  const ids = network.receiver.statuses().map((status) => status.id);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("an https receiver is trusted only with a certificate of the number's own authority", async () => {
  const own = await makeTestCertificates();
  let posts = 0;
  const server = createServer({ cert: own.cert, key: own.key }, (_request, response) => {
    posts++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const callback_url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const problems = network.problems;
  await network.behave({ retryDelaysMs: [], skipDelivered: true });

  const { authorityPath: foreign } = await makeTestCertificates();
  await network.call('POST', '/simulator/numbers', { phone_number_id, callback_url, ca: foreign });
  await network.send();
  await eventuallyHolds(() => expect(problems).toHaveLength(1));
  expect(posts).toBe(0);
  await network.call('POST', '/simulator/numbers', { phone_number_id, ca: own.authorityPath });
  await network.send();
  await eventuallyHolds(() => expect(posts).toBe(1));

  // Without an authority, loopback receivers are not verified.
  await network.call('POST', '/simulator/numbers', { phone_number_id, ca: null });
  await network.send();
  await eventuallyHolds(() => expect(posts).toBe(2));
});

test('the simulator stops while a receiver keeps a callback waiting', async () => {
  const own = await makeTestCertificates();
  let posts = 0;
  const server = createServer({ cert: own.cert, key: own.key }, () => {
    posts++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const callback_url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const ca = own.authorityPath;
  await network.call('POST', '/simulator/numbers', { phone_number_id, callback_url, ca });
  await network.send();
  await eventuallyHolds(() => expect(posts).toBeGreaterThan(0));

  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  await network.close();
  // Rejections are reported after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

async function makeTestCertificates() {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-callbacks-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return makeCertificates({ dataDir, names: [] });
}
