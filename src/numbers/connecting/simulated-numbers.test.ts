import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sameOrigin, signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { connectTestNumber } from '../../../test/servers/control.ts';
import { buildApp } from '../../app.ts';

const app = testApp();
const message = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

/** Builds another app on the same database, with its simulator at `simulatorUrl`. */
async function appWith(simulatorUrl: string | undefined) {
  const built = await buildApp({ ...app.services, simulatorUrl });
  onTestFinished(() => built.close());
  const service = { ...app, app: built };
  return {
    as:
      ({ cookie }: TestMember, shop: TestTenant) =>
      (method: string, path: string, body?: object) =>
        call(service, method, `/dashboard-api/${shop.slug}${path}`, body, {
          ...sameOrigin,
          cookie,
        }),
    send: (shop: TestTenant) =>
      call(service, 'POST', `/api/${shop.slug}/messages/send`, message, {
        authorization: `Bearer ${shop.token}`,
      }),
    callback: (id: string) => call(service, 'GET', `/whatsapp/callbacks/${id}`),
  };
}

/** Starts another program on the port of the simulator. */
async function startImpostor() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(500).end('INTERNAL BANNER secret=42');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a service without the simulator lists and uses no simulated number', async () => {
  const shop = await app.tenant({ number: false });
  const [owner, staff] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const made = await owner.call('POST', '/numbers/simulated');
  expect(made.body.data).toMatchObject({ simulator: true, default: true });
  expect((await shop.call('POST', '/messages/send', message)).status).toBe(200);

  const service = await appWith(undefined);
  for (const member of [owner, staff]) {
    const ask = service.as(member, shop);
    const missing = await ask('POST', '/numbers/no-such-thing');
    const response = await ask('POST', '/numbers/simulated');
    expect([response.status, response.body.message]).toEqual([
      404,
      missing.body.message.replace('no-such-thing', 'simulated'),
    ]);
    expect((await ask('GET', '/numbers')).body.data).toEqual({
      numbers: [],
      simulator_url: null,
      unconnected: [],
    });
    expect((await ask('GET', '/overview')).body.data.steps.number).toBe(false);
    expect((await ask('POST', `/numbers/${made.body.data.id}/verify`, {})).status).toBe(404);
  }
  const sent = await service.send(shop);
  expect(sent.status).toBe(422);
  expect(sent.body.message).toContain('works only while `parley demo` runs');
  const callback = new URL(made.body.data.callback_url).pathname.split('/').at(-1)!;
  expect((await service.callback(callback)).status).toBe(404);
});

test('without the simulator, a tenant that also has a WhatsApp number sends from that one', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  await owner.call('POST', '/numbers/simulated');
  await connectTestNumber(app, shop.id);
  const service = await appWith(undefined);
  const { numbers } = (await service.as(owner, shop)('GET', '/numbers')).body.data;
  expect(numbers).toMatchObject([{ simulator: false, default: true }]);
  expect((await service.send(shop)).status).toBe(200);
});

test('the response of another program on the simulator’s port is not in ours', async () => {
  const shop = await app.tenant({ number: false });
  const owner = await signIn(app, shop);
  const impostor = await startImpostor();
  const service = await appWith(impostor.url);
  const response = await service.as(owner, shop)('POST', '/numbers/simulated');
  expect(response.status).toBe(500);
  expect(response.body.message).toBe('The simulator refused the number (HTTP 500).');
  expect(JSON.stringify(response.body)).not.toContain('BANNER');
  expect(impostor.paths).toEqual(['/simulator/numbers']);
});
