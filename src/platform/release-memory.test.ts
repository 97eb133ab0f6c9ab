import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Leaves 60 MB behind that nothing uses any more, and then waits until they are released. */
const script = `
const { releaseMemoryWhenIdle } = await import(process.argv[1]);
const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
let objects = Array.from({ length: 1_000_000 }, (_, each) => ({ each, at: [each] }));
const before = megabytes();
objects = undefined;
releaseMemoryWhenIdle(100);
const timer = setInterval(() => {
  if (megabytes() > before - 60) return;
  clearInterval(timer);
  console.log('released');
}, 20);
`;

test('an idle process gives memory back', async () => {
  const module = new URL('release-memory.ts', import.meta.url).href;
  const args = ['--expose-gc', '--input-type=module', '--eval', script, module];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('released\n');
});
