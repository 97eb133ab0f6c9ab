import { errorLine, printable } from './command.ts';
import { createProgram, runProgram } from './program.ts';

// Who reads the output may have enough of it, as `head` has: that is no mistake.
let enough: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') enough = error;
  else fail(error);
});
process.stderr.on('error', () => {});

try {
  const words = process.argv.slice(2);
  await runProgram(await createProgram(words[0]), words);
} catch (error) {
  if (error !== enough) fail(error);
}

function fail(error: unknown): void {
  process.stderr.write(`parley: ${printable(errorLine(error))}\n`);
  process.exitCode = 1;
}
