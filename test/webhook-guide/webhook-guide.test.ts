import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDelivering } from '../../src/webhooks/delivering/start-delivering.ts';
import { defaultEndpointOf } from '../../src/webhooks/endpoint-key.ts';
import { listDeliveries } from '../../src/webhooks/log/delivery-log-queries.ts';
import { redeliver } from '../../src/webhooks/log/redeliver.ts';
import { recordEvents } from '../../src/webhooks/record-events.ts';
import { rotateSecret } from '../../src/webhooks/secrets/rotate-secret.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { eventually } from '../checks/eventually.ts';
import { testApp } from '../program/app.ts';
import { freePort } from '../program/start-service.ts';
import { type Program, programs } from './programs.ts';

const app = testApp({ PARLEY_WEBHOOK_SCHEDULE: '0,0.2,0.5,1,2' });
let stop: () => Promise<void>;
beforeAll(() => {
  stop = startDelivering(app.services);
});
afterAll(() => stop());

// We do not install languages. Missing ones are named, so that they do not look tested.
const found: typeof programs = [];
for (const program of programs) {
  if (await runs(program)) found.push(program);
  else process.stderr.write(`Not tried: ${program.name}, for want of ${program.needs.missing}\n`);
}

test.for(found)(
  'the receiver of the guide in $name believes Parley and nobody else',
  async (program) => {
    const { id: tenantId } = await app.tenant({ number: false });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/parley-events`;
    const { secret } = await setWebhook(app.services, tenantId, { url });
    const record = (id: number) =>
      recordEvents(app.db, tenantId, [
        { type: 'contact.created', data: { id, firstname: 'Zoë "Z"' } },
      ]);
    const hasFailed = async () =>
      (await listDeliveries(app.db, defaultEndpointOf(tenantId), { state: 'failed' }, 1)).length >
      0;
    const receiver = await start(program, port, secret, hasFailed);
    try {
      await record(1);
      const [first] = await receiver.stored(1);
      expect(first!.event).toEqual({
        event: 'contact.created',
        data: { id: 1, firstname: 'Zoë "Z"' },
      });

      // Parley may send an event again: the receiver knows it by its id.
      await eventually(() =>
        redeliver(app.services, defaultEndpointOf(tenantId), { since: new Date(0) }),
      );
      expect((await receiver.stored(2))[1]).toEqual(first);

      // From now on there are two signatures; the receiver knows the older secret.
      await rotateSecret(app.services, defaultEndpointOf(tenantId));
      await record(2);
      expect((await receiver.stored(3))[2]!.event).toMatchObject({ data: { id: 2 } });

      const body = '{"event":"contact.deleted","data":{"id":1}}';
      for (const [what, headers] of Object.entries(forgeries(secret, body))) {
        const { status } = await fetch(url, { method: 'POST', headers, body });
        expect(status, what).toBe(401);
      }
      expect(await receiver.stored(3)).toHaveLength(3);
      // The requests above were refused for the fault that they have.
      const headers = signed(secret, body, new Date());
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
    } finally {
      await receiver.stop();
    }
  },
);

function signed(secret: string, body: string, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
}

/** Requests that an attacker may post. */
function forgeries(secret: string, body: string): Record<string, Record<string, string>> {
  const now = new Date();
  const good = signed(secret, body, now);
  const otherSecret = `whsec_${Buffer.alloc(32, 'x').toString('base64')}`;
  return {
    'no headers': { 'content-type': 'application/json' },
    'another secret': signed(otherSecret, body, now),
    'another body': signed(secret, `${body} `, now),
    'another id': { ...good, 'webhook-id': 'msg_2' },
    'an old request': signed(secret, body, new Date(now.getTime() - 400_000)),
    'a request to come': signed(secret, body, new Date(now.getTime() + 400_000)),
    'no time': { ...good, 'webhook-timestamp': 'soon' },
    'no signature of a known kind': {
      ...good,
      'webhook-signature': good['webhook-signature']!.replace('v1,', 'v2,'),
    },
    'a signature that is none': { ...good, 'webhook-signature': 'v1' },
  };
}

async function runs({ needs, environment }: Program): Promise<boolean> {
  const [command, ...args] = needs.command;
  const env = { ...process.env, ...environment };
  return promisify(execFile)(command!, args, { env }).then(
    () => true,
    () => false,
  );
}

async function start(
  program: Program,
  port: number,
  secret: string,
  hasFailed: () => Promise<boolean>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-receiver-'));
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(await program.files(port))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const env = { ...process.env, ...program.environment, PARLEY_WEBHOOK_SECRET: secret };
  const [builder, ...how] = program.build ?? ['true'];
  await promisify(execFile)(builder!, how, { cwd: folder, env });
  const [command, ...args] = program.run(port);
  const child = spawn(command!, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const exited = once(child, 'exit');
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${program.name} ended: ${complaint}`);
    return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(() => false);
  });
  return {
    /** Returns the accepted events, once there are `count` of them. */
    stored: (count: number) =>
      eventually(async () => {
        if (await hasFailed()) throw new Error(`${program.name} does not believe us: ${complaint}`);
        const text = await readFile(join(folder, 'stored'), 'utf8').catch(() => '');
        const events = text
          .split('\n')
          .filter(Boolean)
          .map((line) => ({
            id: line.slice(0, line.indexOf(' ')),
            event: JSON.parse(line.slice(line.indexOf(' '))),
          }));
        return events.length >= count && events;
      }),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
