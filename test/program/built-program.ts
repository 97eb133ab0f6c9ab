import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The programs that tests start often. */
export const builtPrograms = [
  'src/cli/main.ts',
  'test/program/service-main.ts',
  'attack/target-process.ts',
  'attack/simulator-process.ts',
  'attack/neighbour-process.ts',
];

const root = join(import.meta.dirname, '../..');

/**
 * Finds the file with which a program starts. In a run of tests it is built: a start from a thousand source
 * files takes more than a second of CPU time, and a start from the built program a third of it. The first
 * test of the run that starts a program builds them all.
 *
 * @param source the path of the program in the repository
 */
export function builtProgram(source: string): string {
  const folder = process.env.TEST_PROGRAMS;
  if (!folder || !builtPrograms.includes(source)) return join(root, source);
  if (!existsSync(folder)) buildOnce(folder);
  return join(folder, `${source}.js`);
}

/** The path of a file in the repository. */
export function pathInRepository(file: string): string {
  return relative(root, file);
}

function buildOnce(folder: string): void {
  try {
    mkdirSync(`${folder}.building`);
  } catch {
    // Another worker builds them.
    const cell = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(folder)) {
      if (existsSync(`${folder}.failed`)) throw new Error('the programs could not be built');
      Atomics.wait(cell, 0, 0, 50);
    }
    return;
  }
  try {
    execFileSync(process.execPath, [join(import.meta.dirname, 'build-programs.ts'), folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } catch (error) {
    mkdirSync(`${folder}.failed`);
    throw error;
  }
}
