import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';

/**
 * Writes the type of each catalogue in web/texts beside it, so that a wrong key and a wrong value do not type-check.
 * With --check it only fails if a type is out of date. A text that is not ICU MessageFormat always fails.
 */
const folder = join(import.meta.dirname, '../web/texts/en');
const check = process.argv.includes('--check');

for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
  const catalogue = readFileSync(join(folder, name), 'utf8');
  checkTexts(name.replace('.json', ''), JSON.parse(catalogue));
  const path = join(folder, name.replace('.json', '.d.json.ts'));
  const type = `// Written by \`npm run texts\`.\ndeclare const messages: ${catalogue.trim()};\nexport = messages;\n`;
  if (!check) writeFileSync(path, type);
  else if (readFileSync(path, 'utf8') !== type) {
    throw new Error(`${path} is out of date. Run npm run texts.`);
  }
}

function checkTexts(path: string, texts: Record<string, unknown>): void {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'object' && text) checkTexts(`${path}.${key}`, text as typeof texts);
    else {
      try {
        compile(String(text));
      } catch (cause) {
        throw new Error(`${path}.${key} is not ICU MessageFormat: ${text}`, { cause });
      }
    }
  }
}
