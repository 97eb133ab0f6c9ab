import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('a production install has no build and test tools', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  // npm installs such a package also with --omit=dev.
  expect(Object.keys(packages).filter((path) => packages[path]!.devOptional)).toEqual([]);
  for (const tool of ['vite', 'vitest', 'react', 'playwright-core', 'rolldown']) {
    expect(packages[`node_modules/${tool}`], tool).toMatchObject({ dev: true });
  }
});
