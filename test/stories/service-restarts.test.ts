import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../checks/eventually.ts';
import { newPlace } from '../program/new-place.ts';
import { callHttps, processesOf, startService } from '../program/start-service.ts';

const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

describe('the service on a bare folder', () => {
  test('loses nothing acknowledged after kill -9 and a restart', { timeout: 300_000 }, async () => {
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
    await eventually(async () => acknowledged.length >= 20);
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
    const listed = await callHttps(place, 'GET', '/api/demo/messages?limit=100', {
      token: second.printed.token,
    });
    const found = listed.body.data.map((each: { message_id: string }) => each.message_id);
    expect(found).toEqual(expect.arrayContaining(acknowledged));
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
