import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { connectSimulatedNumber } from './connect-simulated-number.ts';

const app = testApp();
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Tries to connect a number while another program listens on the port of the simulator. */
async function connectAt(listener: RequestListener) {
  const server = createServer(listener);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const simulatorUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { id } = await app.tenant({ number: false });
  return connectSimulatedNumber({ ...app.services, simulatorUrl }, id);
}

test('the response of another program on the simulator’s port is not included in the error', async () => {
  const connecting = connectAt((_, response) => response.writeHead(403).end('secret=42'));
  await expect(connecting).rejects.toMatchObject({
    status: 500,
    message: 'The simulator refused the number (HTTP 403).',
  });
});

test('an endless response on the simulator’s port is cut off', async () => {
  let closed = 0;
  const connecting = connectAt((_, response) => {
    response.writeHead(403).once('close', () => closed++);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  });
  await expect(connecting).rejects.toMatchObject({ status: 500 });
  await expect.poll(() => closed).toBe(1);
});
