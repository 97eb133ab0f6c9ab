import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };

const parley = (...args: string[]) =>
  promisify(execFile)(new URL('../../bin/parley', import.meta.url).pathname, args);

test('says which version it is', async () => {
  expect((await parley('--version')).stdout).toBe(`${about.version}\n`);
});

test('what it does not know fails, with one line on standard error that says where help is', async () => {
  for (const args of [['tenants'], ['tenant', 'shrink'], ['serve', '--quickly']]) {
    const failure = await parley(...args).catch((error) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/^parley: error: .*\(add --help for the options\)\n$/);
  }
});
