import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeScratchFolder } from '../../test/database/scratch.ts';
import { notifySystemd } from './notify-systemd.ts';

test('systemd is told that the service is ready, lives, and stops', async () => {
  const folder = await makeScratchFolder('parley-notify-');
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'log');
  const program = join(folder, 'systemd-notify');
  await writeFile(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${log}\n`);
  await chmod(program, 0o755);
  const notes = () => readFile(log, 'utf8');

  const supervisor = notifySystemd({
    NOTIFY_SOCKET: '/run/notify',
    WATCHDOG_USEC: '300000',
    PATH: `${folder}:/usr/bin:/bin`,
  });
  await supervisor.ready();
  expect(await notes()).toBe(`/run/notify READY=1 MAINPID=${process.pid}\n`);
  await expect.poll(notes).toContain('/run/notify WATCHDOG=1\n');
  await supervisor.stopping();
  expect(await notes()).toContain('/run/notify STOPPING=1\n');

  await notifySystemd({ PATH: folder }).stopping();
  expect((await notes()).match(/STOPPING/g)).toHaveLength(1);
});
