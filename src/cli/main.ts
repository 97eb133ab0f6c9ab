import { errorLine, printable } from './command.ts';
import { createProgram } from './program.ts';

try {
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`parley: ${printable(errorLine(error))}\n`);
  process.exitCode = 1;
}
