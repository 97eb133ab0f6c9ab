import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');
/** Files outside of the folders that any feature may import: errors, settings, the type of the services. */
const ground = ['config.ts', 'services.ts'];

type Import = { from: string; to: string; isType: boolean };

const importPattern = /(?:(?:import|export) (type )?[^;'"]*\bfrom |import\(\s*|import )'([^']+)'/g;
/** The start of the target of an import that is a package. */
const packages = 'package:';

/** Finds every import of the files below a folder, without tests. Paths are relative to the folder. */
async function findImports(folder: string, endings = /(?<!\.test)\.ts$/): Promise<Import[]> {
  // Builds come and go while other tests run.
  const exclude = (path: string) => /(^|\/)dist(\.|$)/.test(path);
  const files = globSync('**/*', { cwd: folder, exclude }).filter((path) => endings.test(path));
  const found = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(join(folder, from), 'utf8');
      return [...text.matchAll(importPattern)].map(([, type, target]) => ({
        from,
        to: target!.startsWith('.')
          ? relative(folder, resolve(folder, dirname(from), target!))
          : `${packages}${target}`,
        isType: type !== undefined,
      }));
    }),
  );
  return found.flat();
}

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

function breachesOf(imports: Import[], problem: (each: Import) => string | undefined): string[] {
  return imports.flatMap((each) => {
    const found = problem(each);
    return found ? [`${each.from} imports ${each.to}: ${found}`] : [];
  });
}

function problemOf({ from, to }: Import): string | undefined {
  if (to.startsWith(packages)) return undefined;
  if (to.startsWith('../web/')) return 'the service knows nothing of web/';
  const [here, there] = [folderOf(from), folderOf(to)];
  if (here === there || here === '' || here === 'cli') return undefined;
  if (here === 'platform') return 'platform/ imports nothing but itself';
  if (here === 'whatsapp' && to === 'services.ts') return 'whatsapp/ knows no feature';
  if (here !== 'simulator' && ground.includes(to)) return undefined;
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
  expect(imports).toContainEqual({ from: 'app.ts', to: 'messages/routes.ts', isType: false });
  expect(imports).toContainEqual({
    from: 'messages/queries.ts',
    to: 'platform/database/database.ts',
    isType: true,
  });
  expect(breachesOf(imports, problemOf)).toEqual([]);
  // Nor may the ground be a way around it.
  const breaches = [
    { from: 'platform/clock.ts', to: 'config.ts', isType: true },
    { from: 'whatsapp/sender.ts', to: 'services.ts', isType: true },
  ];
  expect(breachesOf(breaches, problemOf)).toHaveLength(2);
});

/** The folders and packages that a folder of `web/` may import. A missing list allows everything. */
const zones: Record<string, { folders: string[]; packages?: string[] }> = {
  texts: { folders: ['texts'], packages: ['use-intl/core'] },
  parts: {
    folders: ['parts', 'message', 'texts'],
    packages: ['react', 'radix-ui', 'lucide-react', 'cmdk', 'virtua', 'd3-scale', 'd3-shape'],
  },
  message: {
    folders: ['parts', 'message', 'texts'],
    packages: ['react', 'radix-ui', 'lucide-react'],
  },
  phone: { folders: ['phone', 'parts', 'message', 'texts'] },
  dashboard: { folders: ['dashboard', 'parts', 'message', 'texts'] },
  // Only for development and tests, and in no build.
  gallery: { folders: ['gallery', 'parts', 'message', 'texts'] },
};
/** The only file of the service that the phone may import, and only its types. */
const simulatorTypes = '../src/simulator/types.ts';

function webProblemOf({ from, to, isType }: Import): string | undefined {
  const here = folderOf(from);
  const zone = zones[here];
  if (!zone) return here === '' ? undefined : `web/${here} is not in the list of zones`;
  if (to.startsWith(packages)) {
    const name = to.slice(packages.length);
    if (!zone.packages || zone.packages.includes(name)) return undefined;
    return `web/${here} imports only the packages of its list`;
  }
  if (to.startsWith('../')) {
    if (here === 'phone' && to === simulatorTypes && isType) return undefined;
    return 'web/ does not know the service';
  }
  return zone.folders.includes(folderOf(to)) ? undefined : `web/${here} does not know its users`;
}

test('parts and messages know no application and no data, and no application knows another one', async () => {
  const imports = await findImports(join(root, 'web'), webSources);
  expect(imports).toContainEqual({
    from: 'parts/fields/field.tsx',
    to: 'texts/common.ts',
    isType: false,
  });
  expect(breachesOf(imports, webProblemOf)).toEqual([]);
});

const webSources = /^(?!\w+\/dist).*(?<!\.test)\.tsx?$/;
test.each([
  ['src', /\.(ts|js)$/],
  ['web', webSources],
])('%s has no circular imports', async (folder, endings) => {
  const imports = await findImports(join(root, folder), endings);
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
