import { errorLine, printable } from './command.ts';
import { createProgram, runProgram } from './program.ts';

// A reader such as `head` may close the pipe early, which is not an error.
let pipeClosed: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') pipeClosed = error;
  else fail(error);
});
process.stderr.on('error', () => {});

try {
  const words = process.argv.slice(2);
  await runProgram(await createProgram(words[0]), words);
} catch (error) {
  if (error !== pipeClosed) fail(error);
}

function fail(error: unknown): void {
  process.stderr.write(`parley: ${printable(errorLine(error))}\n`);
  process.exitCode = 1;
}
