import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../checks/eventually.ts';
import { copyCluster } from '../database/copy-cluster.ts';
import { spawnParley } from '../program/bin-parley.ts';
import {
  callHttps,
  createPlace,
  type Place,
  processesOf,
  type StartedService,
  startService,
} from '../program/start-service.ts';

const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const places: Place[] = [];

async function newPlace(settings?: Record<string, string>): Promise<Place> {
  const place = await createPlace(settings);
  places.push(place);
  return place;
}

/** A place with a finished cluster, for tests that are not about its creation. */
async function readyPlace(settings?: Record<string, string>): Promise<Place> {
  const place = await newPlace(settings);
  await copyCluster(place.dataDir);
  return place;
}

afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

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
      'database',
      'master key',
      'numbers',
      'webhooks',
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
    const failure = async (...args: string[]) => {
      const error = await place.parley(...args).catch((thrown) => thrown);
      return { code: error.code, stderr: error.stderr, stdout: error.stdout };
    };
    expect(await failure('tenant', 'create', 'Bad Slug', '--json')).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^parley: slug must be .*\n$/),
      stdout: '',
    });
    expect((await failure('tenant', 'create', 'webhooks')).stderr).toMatch(/reserved/);
    expect((await failure('tenant', 'create', 'demo')).stderr).toMatch(/slug is taken/);
    // The simulator's port is in use as well.
    expect((await failure('demo')).stderr).toMatch(
      /^parley: The simulator cannot listen .* set PARLEY_SIMULATOR_PORT\.\n$/,
    );
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
    const failure = await place.parley('demo').catch((thrown) => thrown);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/parley: A secret in the database .* another master key/);
    const refused = await place.parley('serve').catch((thrown) => thrown);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /parley: The master key does not decrypt .* PARLEY_MASTER_KEY_LOST=yes /,
    );
    expect(await processesOf(place)).toEqual([]);
  });

  const parleyJson = async (...args: string[]) => JSON.parse(await place.parley(...args, '--json'));
});

describe('the service on a bare folder', () => {
  test('loses nothing acknowledged after kill -9 and a restart', async () => {
    const place = await newPlace();
    const first = await startService(place, 'demo');
    const { token } = first.printed;
    const acknowledged: string[] = [];
    let killed = false;
    let phones = 0;
    const senders = Array.from({ length: 8 }, async () => {
      while (!killed) {
        const body = { ...text, phone_number: `+1415555${1000 + phones++}` };
        const sent = await callHttps(place, 'POST', '/api/demo/messages/send', {
          token,
          body,
        }).catch(() => undefined);
        if (sent?.status === 200) acknowledged.push(sent.body.data.message_id);
        else if (!killed && sent) throw new Error(`unexpected ${sent.status}`);
      }
    });
    await eventually(async () => acknowledged.length >= 100);
    first.process.kill('SIGKILL');
    await first.exited;
    killed = true;
    await Promise.all(senders);

    // The simulator's memory is lost, but the service restores its numbers.
    await rm(join(place.dataDir, 'simulator.json'), { force: true });
    const second = await startService(place, 'demo');
    const again = await callHttps(place, 'POST', '/api/demo/messages/send', {
      token: second.printed.token,
      body: text,
    });
    expect(again.status).toBe(200);
    // The old token has used up its minute; the new one has the same abilities.
    for (const id of acknowledged) {
      const found = await callHttps(place, 'GET', `/api/demo/messages/${encodeURIComponent(id)}`, {
        token: second.printed.token,
      });
      expect(found.status).toBe(200);
    }
    second.process.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    expect(await processesOf(place)).toEqual([]);
  });

  test('when started by npm, stops completely when npm is stopped', async () => {
    const place = await newPlace();
    // `npm start` runs this after building the dashboard. npm sends its signal to the shell in between.
    const npm = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: join(import.meta.dirname, '../..'),
      env: place.environment,
    });
    const exited = once(npm, 'exit');
    let printed = '';
    npm.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    await eventually(async () => printed.includes('Send a first message'));
    npm.kill('SIGTERM');
    await exited;
    await eventually(async () => (await processesOf(place)).length === 0);
  });
});

describe('the service in several processes', () => {
  test('prints that it is ready once, replaces a process that dies, and stops completely', async () => {
    const place = await readyPlace({ PARLEY_PROCESSES: '2' });
    const service = spawnParley(['serve', '--json'], place.environment);
    // Not 'exit', after which output may still arrive.
    const ended = once(service, 'close');
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      service[name].on('data', (chunk) => {
        output[name] += chunk;
      });
    }
    const serving = (times: number) =>
      eventually(async () => output.stderr.split('"msg":"serving"').length > times);
    await serving(2);
    expect(await callHttps(place, 'GET', '/api/nobody/contacts')).toMatchObject({ status: 404 });

    const workers = (await processesOf(place))
      .filter((line) => line.includes('serve --json'))
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => pid !== service.pid);
    expect(workers).toHaveLength(2);
    process.kill(workers[0]!, 'SIGKILL');
    await serving(3);

    // A process of workers alone has no address to print.
    const roles = { PARLEY_ROLES: 'workers', PARLEY_PROCESSES: '1' };
    const environment = { ...place.environment, ...roles };
    const worker = await startService({ ...place, environment }, 'serve');
    expect(worker.printed).toEqual({});
    worker.process.kill('SIGTERM');
    expect(await worker.exited).toBe(0);

    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const log = output.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(log).toContainEqual(
      expect.objectContaining({
        ...{ level: 40, pid: workers[0], signal: 'SIGKILL' },
        msg: 'a process ended and is replaced',
      }),
    );
    expect(log.filter(({ msg }) => msg === 'closing')).toHaveLength(2);
    expect(JSON.parse(output.stdout)).toMatchObject({ url: `https://localhost:${place.port}` });
    expect(await processesOf(place)).toEqual([]);
  });

  test('stops cleanly even before the second process has loaded', async () => {
    const place = await readyPlace({ PARLEY_PROCESSES: '2' });
    const service = await startService(place, 'serve');
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(await processesOf(place)).toEqual([]);
  });

  test('exits with one line if it cannot start', async () => {
    const place = await readyPlace({ PARLEY_PROCESSES: '2', PARLEY_LOG_LEVEL: 'warn' });
    const taken = createServer().listen(place.port, '127.0.0.1');
    await once(taken, 'listening');
    const failure = await place.parley('serve', '--json').catch((thrown) => thrown);
    taken.close();
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/^parley: Cannot listen on 127.0.0.1 port \d+: .*\n$/);
    expect(await processesOf(place)).toEqual([]);
  });
});

describe('the command', () => {
  test('works without a running service, and stops the database afterwards', async () => {
    const place = await readyPlace();
    const migrate = async () => JSON.parse(await place.parley('migrate', '--json')).migrations;
    expect(await migrate()).toContain('0001_tenants.sql');
    expect(await migrate()).toEqual([]);
    await place.parley('tenant', 'create', 'shop');
    expect(JSON.parse(await place.parley('tenant', 'list', '--json')).tenants).toMatchObject([
      { slug: 'shop' },
    ]);
    expect(await processesOf(place)).toEqual([]);

    // Also when interrupted, here while it waits for standard input.
    const waiting = spawnParley(['contact', 'import', 'shop', '-'], place.environment);
    const exited = once(waiting, 'exit');
    const lock = join(place.dataDir, 'postgres/data/postmaster.pid');
    await eventually(async () => /ready/.test(await readFile(lock, 'utf8').catch(() => '')));
    waiting.kill('SIGINT');
    expect(await exited).toEqual([null, 'SIGINT']);
    await eventually(async () => (await processesOf(place)).length === 0);
  });

  test('exits quietly and completely if its output is not read', async () => {
    const place = await readyPlace();
    const list = spawnParley(['tenant', 'list'], place.environment);
    let complaint = '';
    list.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    list.stdout.destroy();
    const [code] = await once(list, 'close');
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(await processesOf(place)).toEqual([]);
  });

  test('reports all invalid settings together', async () => {
    const place = await newPlace({
      PARLEY_HOST: 'nowhere',
      PARLEY_MASTER_KEY: 'short',
      PARLEY_ROLES: 'king',
    });
    const error = await place.parley('serve').catch((thrown) => thrown);
    expect(error.code).toBe(1);
    expect(error.stderr).toMatch(
      /PARLEY_HOST must be.*PARLEY_MASTER_KEY must be.*PARLEY_ROLES must be/,
    );
    expect(error.stderr).not.toContain('short');
  });
});
