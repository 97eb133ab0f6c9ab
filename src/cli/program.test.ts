import { expect, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { runParley } from '../../test/program/bin-parley.ts';

const parley = (...args: string[]) => runParley(args);

test('prints its version', async () => {
  expect((await parley('--version')).stdout).toBe(`${about.version}\n`);
});

test('an unknown command or option fails, with one line on standard error that points to the help', async () => {
  for (const [mistake, ...args] of [
    ['tenants', 'tenants'],
    ['shrink', 'tenant', 'shrink'],
    ['--quickly', 'serve', '--quickly'],
    ['frob', 'help', 'frob'],
    ['frob', 'help', 'tenant', 'frob'],
    ['frob', 'tenant', 'help', 'frob'],
    ['--phone-number-id', 'number', 'connect', 'x', '--simulator', '--phone-number-id', '1'],
  ]) {
    const failure = await parley(...args).catch((error) => error);
    expect(failure, args.join(' ')).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/^parley: error: .*\(add --help for the options\)\n$/);
    expect(failure.stderr).toContain(mistake);
  }
});

test('a noun alone prints its commands, and `help` prints the help of a word', async () => {
  expect((await parley()).stdout).toMatch(/^Usage: parley .*\n(.*\n)* +tenant .*\n/);
  const tenant = (await parley('tenant')).stdout;
  expect(tenant).toMatch(/^Usage: parley tenant .*\n(.*\n)* +set-plan .*\n/);
  expect((await parley('help', 'tenant')).stdout).toBe(tenant);
  for (const args of [
    ['tenant', 'help', 'create'],
    ['help', 'tenant', 'create'],
  ]) {
    expect((await parley(...args)).stdout).toMatch(/^Usage: parley tenant create/);
  }
});
