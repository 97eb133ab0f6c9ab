import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually } from '../checks/eventually.ts';
import { spawnParley } from '../program/bin-parley.ts';
import { failureOf, readyPlace } from '../program/new-place.ts';
import { callHttps, processesOf, startService } from '../program/start-service.ts';

describe('the service in several processes', () => {
  test('prints that it is ready once, replaces a process that hangs and dies, and stops completely', {
    timeout: 300_000,
  }, async () => {
    const place = await readyPlace({ PARLEY_PROCESSES: '2' });
    const watchdog = { WATCHDOG_USEC: '12000000' };
    const service = spawnParley(['serve', '--json'], { ...place.environment, ...watchdog });
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
    process.kill(workers[0]!, 'SIGSTOP');
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
      expect.objectContaining({ msg: 'a process hangs and is ended', pid: workers[0] }),
    );
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
    const failure = await failureOf(place, 'serve', '--json');
    taken.close();
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/^parley: Cannot listen on 127.0.0.1 port \d+: .*\n$/);
    expect(await processesOf(place)).toEqual([]);
  });
});
