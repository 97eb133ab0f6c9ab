import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');
/** Files outside of the folders that any feature may import: errors, settings, the type of the services. */
const ground = ['config.ts', 'services.ts'];

type Import = { from: string; to: string };

/** Finds every import between files below a folder, without tests. Paths are relative to the folder. */
async function findImports(folder: string, endings = /(?<!\.test)\.ts$/): Promise<Import[]> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => endings.test(path));
  const found = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(join(folder, from), 'utf8');
      const targets = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
      return [...targets].map(([, target]) => ({
        from,
        to: relative(folder, resolve(folder, dirname(from), target!)),
      }));
    }),
  );
  return found.flat();
}

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

function problemOf({ from, to }: Import): string | undefined {
  const [here, there] = [folderOf(from), folderOf(to)];
  if (here === there || here === '' || here === 'cli') return undefined;
  if (here !== 'simulator' && ground.includes(to)) return undefined;
  if (here === 'platform') return 'platform/ imports nothing but itself';
  if (there === 'platform') return undefined;
  if (here === 'simulator') return 'the simulator knows the network only by its protocol';
  if (there === 'simulator') return 'no feature may import the simulator';
  if (here === 'whatsapp') return 'whatsapp/ knows no feature';
  if (there === '' || there === 'cli')
    return 'the wiring imports features, not the other way round';
  if (/quer(y|ies)\.ts$/.test(to)) return 'the statements of a feature are private to it';
  return undefined;
}

test('imports go one way: app, features, platform; the statements of a feature are private to it', async () => {
  const imports = await findImports(src);
  // The walk finds the imports that it should: of the platform by features, and of features by the app.
  expect(imports).toContainEqual({ from: 'app.ts', to: 'messages/routes.ts' });
  expect(imports).toContainEqual({
    from: 'messages/queries.ts',
    to: 'platform/database/database.ts',
  });

  const breaches = imports.flatMap((each) => {
    const problem = problemOf(each);
    return problem ? [`${each.from} imports ${each.to}: ${problem}`] : [];
  });
  expect(breaches).toEqual([]);
});

const folders = ['src', 'dashboard/src'];
test.each(folders)('%s has no circular imports', async (folder) => {
  const imports = await findImports(join(root, folder), /\.(ts|tsx|js)$/);
  expect(imports.length).toBeGreaterThan(20);
  const needs = Map.groupBy(imports, ({ from }) => from);
  const known = new Set<string>();
  const cycles: string[] = [];
  const follow = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' > '));
      return;
    }
    if (known.has(file)) return;
    for (const { to } of needs.get(file) ?? []) follow(to, [...path, file]);
    known.add(file);
  };
  for (const file of needs.keys()) follow(file, []);
  expect(cycles).toEqual([]);
});
