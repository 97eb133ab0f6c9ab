import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRevision } from './revision.ts';

test('the revision is that of the file of an installation, or that of the git folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-revision-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(findRevision(folder)).toBe('unknown');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '--quiet');
  const file = join(folder, 'program');
  writeFileSync(file, 'one');
  git('add', '.');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git(...author, 'commit', '--quiet', '--message=First');
  const commit = git('rev-parse', '--short=12', 'HEAD');
  expect(findRevision(folder)).toBe(commit);
  writeFileSync(file, 'two');
  expect(findRevision(folder)).toBe(`${commit}-dirty`);
  writeFileSync(join(folder, 'revision'), 'abc\n');
  expect(findRevision(folder)).toBe('abc');
});
