import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.runIf(process.platform === 'linux')(
  'the limit of open files is that of this process',
  async () => {
    const module = new URL('open-file-limit.ts', import.meta.url).href;
    const script = `const { openFileLimit } = await import('${module}'); console.log(await openFileLimit())`;
    const run = `ulimit -n 777 && exec "$0" --input-type=module --eval "$1"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', run, process.execPath, script]);
    expect(stdout).toBe('777\n');
  },
);
