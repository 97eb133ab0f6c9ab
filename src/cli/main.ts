import { errorLine } from './command.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  process.stderr.write(`parley: ${errorLine(error)}\n`);
  process.exitCode = 1;
}
