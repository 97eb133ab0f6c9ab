import { CommanderError } from 'commander';
import { vi } from 'vitest';
import { errorLine, printable } from '../../src/cli/command.ts';
import { createProgram, runProgram } from '../../src/cli/program.ts';

export type Ran = { code: number; stdout: string; stderr: string };

/**
 * Runs the whole command in this process, as `bin/parley` does in its own: a start of a process takes most of
 * the time of a short command. Only one at a time, and not for commands that serve, read standard input or
 * are interrupted.
 *
 * @param environment replaces that of this process meanwhile
 */
export async function runCommand(
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Ran> {
  const ran: Ran = { code: 0, stdout: '', stderr: '' };
  const capture = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      ran[name] += String(text);
      return true;
    });
  const captured = [capture('stdout'), capture('stderr')];
  const kept = { environment: process.env, exitCode: process.exitCode };
  process.env = { ...environment };
  try {
    const program = await createProgram(args[0]);
    exitByError(program);
    await runProgram(program, args);
    ran.code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) ran.code = error.exitCode;
    else {
      process.stderr.write(`parley: ${printable(errorLine(error))}\n`);
      ran.code = 1;
    }
  } finally {
    for (const each of captured) each.mockRestore();
    process.env = kept.environment;
    process.exitCode = kept.exitCode;
  }
  return ran;
}

type Program = Awaited<ReturnType<typeof createProgram>>;

function exitByError(command: Program): void {
  command.exitOverride();
  for (const each of command.commands) exitByError(each);
}
