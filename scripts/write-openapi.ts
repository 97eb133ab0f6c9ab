import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { createServices } from '../src/services.ts';
import { clientTypes, ownTypes } from './client-types.ts';
import { contactFieldList } from './contact-field-list.ts';
import { openapi30 } from './openapi-3-0.ts';

/**
 * Writes `clients/openapi.json` from the routes, the same in OpenAPI 3.0, the types of the TypeScript client from it,
 * and for the dashboard the types of its calls and the list of contact fields.
 * With `--check`, only reports whether they are up to date. Opens no database.
 */
const { description, ownDescription } = await describe();
const files = {
  'clients/openapi.json': JSON.stringify(description),
  'clients/openapi-3.0.json': JSON.stringify(openapi30(description)),
  'clients/typescript/src/schema.ts': clientTypes(description),
  'web/dashboard/src/api/schema.ts': ownTypes(ownDescription),
  'web/dashboard/src/api/contact-fields.ts': contactFieldList(),
};
for (const [path, text] of Object.entries(files)) {
  const url = new URL(`../${path}`, import.meta.url);
  const formatted = format(path, text);
  if (!process.argv.includes('--check')) await writeFile(url, formatted);
  else if ((await readFile(url, 'utf8').catch(() => '')) !== formatted) {
    process.stderr.write(`${path} is stale: run \`npm run openapi\`.\n`);
    process.exitCode = 1;
  }
}

async function describe() {
  const db = openDatabase({}, { onError: () => {} });
  const services = createServices({
    config: readConfig({ PARLEY_LOG_LEVEL: 'silent' }),
    db,
    masterKeys: [Buffer.alloc(32)],
    // Only for the route that connects a simulated number.
    simulatorUrl: 'http://localhost',
  });
  const app = await buildApp(services);
  const descriptions = {
    description: app.apiDescription(),
    ownDescription: app.ownApiDescription(),
  };
  await app.close();
  await services.network.close();
  await services.outbound.close();
  await services.files.close();
  await db.close();
  return descriptions;
}

/** Formats like `npm run format`. */
function format(path: string, text: string): string {
  const biome = new URL('../node_modules/.bin/biome', import.meta.url).pathname;
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}
