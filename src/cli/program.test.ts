import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { binParley } from '../../test/program/bin-parley.ts';
import { type Ran, runCommand } from '../../test/program/run-command.ts';
import { findRevision } from '../platform/revision.ts';

/** Runs the program as a user does, from its sources. */
const asUser = (...args: string[]) => promisify(execFile)(binParley, args);
const parley = (...args: string[]) => runCommand(args);

test('prints its version and revision', async () => {
  expect((await asUser('--version')).stdout).toBe(`${about.version} (${findRevision()})\n`);
});

test('an unknown command or option fails, with one line on standard error that points to the help', async () => {
  const expectFailure = (failure: Ran, mistake: string) => {
    expect(failure, mistake).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(/^parley: error: .*\(add --help for the options\)\n$/);
    expect(failure.stderr).toContain(mistake);
  };
  expectFailure(await asUser('tenants').catch((error) => error), 'tenants');
  for (const [mistake, ...args] of [
    ['shrink', 'tenant', 'shrink'],
    ['--quickly', 'serve', '--quickly'],
    ['frob', 'help', 'frob'],
    ['frob', 'help', 'tenant', 'frob'],
    ['frob', 'tenant', 'help', 'frob'],
    ['--phone-number-id', 'number', 'connect', 'x', '--simulator', '--phone-number-id', '1'],
  ]) {
    expectFailure(await parley(...args), mistake!);
  }
});

test('a noun alone prints its commands, and `help` prints the help of a word', async () => {
  expect((await asUser()).stdout).toMatch(/^Usage: parley .*\n(.*\n)* +tenant .*\n/);
  const tenant = (await parley('tenant')).stdout;
  expect(tenant).toMatch(/^Usage: parley tenant .*\n(.*\n)* +set-plan .*\n/);
  expect(await parley('help', 'tenant')).toEqual({ code: 0, stdout: tenant, stderr: '' });
  for (const args of [
    ['tenant', 'help', 'create'],
    ['help', 'tenant', 'create'],
  ]) {
    expect((await parley(...args)).stdout).toMatch(/^Usage: parley tenant create/);
  }
});
