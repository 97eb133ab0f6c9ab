import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Leaves 60 MB behind that nothing uses any more, and then waits until they are released. Meanwhile it works for some
 * milliseconds of every 100.
 */
const script = `
const { releaseMemoryWhenIdle } = await import(process.argv[1]);
const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
let objects = Array.from({ length: 1_000_000 }, (_, each) => ({ each, at: [each] }));
const before = megabytes();
objects = undefined;
releaseMemoryWhenIdle(500);
setInterval(() => {
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < Number(process.argv[2]) * 1_000);
}, 100).unref();
const timer = setInterval(() => {
  if (megabytes() > before - 60) return;
  clearInterval(timer);
  console.log('released');
}, 20);
`;

test.each([
  ['an idle process', 0],
  ['a process that is busy for a twelfth of the time, as with retries,', 8],
])('%s gives memory back', async (_, busyMs) => {
  const module = new URL('release-memory.ts', import.meta.url).href;
  const args = ['--expose-gc', '--input-type=module', '--eval', script, module, String(busyMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('released\n');
});
