import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const web = fileURLToPath(new URL('../../web', import.meta.url));

test('every text of the dashboard is used on a page', async () => {
  const paths = (await readdir(web, { recursive: true })).filter((path) =>
    /^(?!\w+\/dist).*\.tsx?$/.test(path),
  );
  const files = await Promise.all(paths.map((path) => readFile(join(web, path), 'utf8')));
  const unused: string[] = [];
  for (const path of paths.filter((path) => path.startsWith('texts/'))) {
    const users = files.filter((file) => file.includes(`texts/${basename(path)}'`)).join('\n');
    const words = new Set(users.match(/\w+/g));
    const texts: Record<string, object> = await import(join(web, path));
    for (const [name, keys] of Object.entries(texts)) {
      unused.push(...Object.keys(keys).flatMap((key) => (words.has(key) ? [] : `${name}.${key}`)));
    }
  }
  expect(unused).toEqual([]);
});
