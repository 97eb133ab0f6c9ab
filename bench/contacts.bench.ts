import { parseArgs } from 'node:util';
import { measureCreates } from './contact-creates.ts';
import { measureImport } from './contact-import.ts';
import { measureReads } from './contact-reads.ts';
import { openPlace } from './open-place.ts';

/** Contacts at scale. `--only creates`, `reads` or `import` runs one part. */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    contacts: { type: 'string', default: '1000000' },
  },
});

const { dataDir, services, close } = await openPlace();
try {
  const isSelected = (part: string) => (values.only ?? part) === part;
  if (isSelected('creates')) {
    await measureCreates(services, dataDir, {
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
    });
  }
  if (isSelected('import')) {
    await measureImport(services, dataDir, { rounds: Number(values.rounds), seconds: 5 });
  }
  if (isSelected('reads')) {
    await measureReads(services, dataDir, { largeCount: Number(values.contacts), rounds: 25 });
  }
} finally {
  await close();
}
