import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../checks/eventually.ts';
import { failureOf } from '../program/new-place.ts';
import {
  callHttps,
  createPlace,
  type Place,
  processesOf,
  type StartedService,
  startService,
} from '../program/start-service.ts';

const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

describe('the demo on a bare folder', () => {
  let place: Place;
  let demo: StartedService;

  beforeAll(async () => {
    place = await createPlace();
    demo = await startService(place, 'demo');
  });
  afterAll(() => place.remove());

  test('serves over HTTPS, and can be used together with the command', async () => {
    const { token } = demo.printed;
    // The window of 24 hours is closed, so the network takes only a template.
    const body = {
      phone_number: text.phone_number,
      template_name: 'hello_world',
      template_language: 'en_US',
    };
    const sent = await callHttps(place, 'POST', '/api/demo/messages/template', { token, body });
    expect(sent).toMatchObject({ status: 200, body: { success: true, data: { status: 'sent' } } });
    const path = `/api/demo/messages/${encodeURIComponent(sent.body.data.message_id)}`;
    await eventually(
      async () => (await callHttps(place, 'GET', path, { token })).body.data.status === 'delivered',
    );

    // The command works on the running service, and its changes take effect at once.
    const made = await parleyJson('tenant', 'create', 'shop', '--plan', 'growth');
    expect(made.tenant).toMatchObject({ slug: 'shop', plan: 'growth', api_access: false });
    const named = ['--name', 'first', '--abilities', 'all'];
    const created = await parleyJson('token', 'create', 'shop', ...named);
    const number = await parleyJson('number', 'connect', 'shop', '--simulator');
    expect(number.callback_url).toMatch(/^https:\/\/localhost:\d+\/whatsapp\/callbacks\/\w+$/);
    expect(number.verify_token).toMatch(/^\w{32}$/);
    const other = await callHttps(place, 'POST', '/api/shop/messages/send', {
      token: created.token,
      body: text,
    });
    expect(other.status).toBe(200);
    await place.parley('token', 'revoke', 'shop', String(created.id));
    await eventually(async () => {
      const { status } = await callHttps(place, 'GET', '/api/shop/messages/x', {
        token: created.token,
      });
      return status === 401;
    });
  });

  test('passes the checks of the doctor, and fails with another master key', async () => {
    place.environment.PARLEY_NETWORK_URL = demo.printed.simulator!;
    const { ok, checks } = await parleyJson('doctor');
    expect(ok).toBe(true);
    expect(checks.map((check: { name: string }) => check.name)).toEqual([
      'settings',
      'data',
      'service',
      'database',
      'clock',
      'master key',
      'numbers',
      'webhooks',
      'files',
      'tls',
      'network',
    ]);

    place.environment.PARLEY_MASTER_KEY = Buffer.alloc(32, 'another').toString('base64');
    const failed = await place.parley('doctor', '--json').catch((thrown) => thrown);
    expect(JSON.parse(failed.stdout).checks).toContainEqual(
      expect.objectContaining({ name: 'master key', ok: false }),
    );
    delete place.environment.PARLEY_NETWORK_URL;
    delete place.environment.PARLEY_MASTER_KEY;
  });

  test('refuses plain HTTP, and marks the token that was sent over it as seen', async () => {
    const response = await new Promise<{ status: number | undefined; body: string }>(
      (resolve, reject) => {
        request(
          {
            port: place.port,
            path: '/api/demo/messages/x',
            headers: { authorization: `Bearer ${demo.printed.token}` },
          },
          async (response) => {
            let body = '';
            for await (const chunk of response) body += chunk;
            resolve({ status: response.statusCode, body });
          },
        )
          .on('error', reject)
          .end();
      },
    );
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({
      success: false,
      message: expect.stringMatching(/HTTPS only/),
      errors: {},
    });
    await eventually(async () => {
      const { tokens } = await parleyJson('token', 'list', 'demo');
      return tokens[0].seen_in_clear_at !== null;
    });
  });

  test('a failing command prints one line on standard error that says what to do', async () => {
    expect(await failureOf(place, 'tenant', 'create', 'Bad Slug', '--json')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^parley: slug must be .*\n$/),
      stdout: '',
    });
    // The simulator's port is in use as well.
    expect((await failureOf(place, 'demo')).stderr).toMatch(
      /^parley: The simulator cannot listen .* set PARLEY_SIMULATOR_PORT\.\n$/,
    );
    const failure = (...args: string[]) => place.parley(...args).catch((thrown) => thrown);
    expect((await failure('tenant', 'create', 'webhooks')).stderr).toMatch(/reserved/);
    expect((await failure('tenant', 'create', 'demo')).stderr).toMatch(/slug is taken/);
    const token = (tenant: string, ability: string) =>
      failure('token', 'create', tenant, '--name', 'x', '--abilities', ability);
    expect((await token('nobody', 'all')).stderr).toMatch(/no tenant "nobody".*parley tenant list/);
    for (const abilities of ['fly', 'all,fly']) {
      expect((await token('demo', abilities)).stderr).toMatch(
        /abilities has unknown entries: fly; known are contacts:create/,
      );
    }
  });

  test('stops completely; webhooks to this machine are allowed in a demo but not in a service', async () => {
    const set = ['webhook', 'set', 'demo', '--url', 'http://127.0.0.1:3000/events'];
    expect(await place.parley(...set)).toMatch(/state +on/);
    demo.process.kill('SIGINT');
    expect(await demo.exited).toBe(0);
    expect(await processesOf(place)).toEqual([]);

    const service = await startService(place, 'serve');
    const refused = await place.parley(...set).catch((thrown) => thrown);
    expect(refused.stderr).toMatch(/url must be an https:\/\/ address/);
    const connect = ['number', 'connect', 'demo', '--simulator'];
    const alone = await place.parley(...connect).catch((thrown) => thrown);
    expect(alone.stderr).toMatch(/^parley: The simulator runs only with `parley demo`\./);
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(await processesOf(place)).toEqual([]);
  });

  test('exits with the reason if its number can no longer be used', async () => {
    place.environment.PARLEY_MASTER_KEY = Buffer.alloc(32, 'another').toString('base64');
    const failure = await failureOf(place, 'demo');
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/parley: A secret in the database .* another master key/);
    const refused = await failureOf(place, 'serve');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /parley: The master key does not decrypt .* PARLEY_MASTER_KEY_LOST=yes /,
    );
    expect(await processesOf(place)).toEqual([]);
  });

  const parleyJson = async (...args: string[]) => JSON.parse(await place.parley(...args, '--json'));
});
