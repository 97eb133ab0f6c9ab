import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkFolders } from './check-regular-expressions.ts';
import { checkExpression, withoutLargeCounts } from './regular-expressions/check-expression.ts';

type MadeAtRunTime = { path: string; code: string; why: string };

/** Checks a project that consists of one file. */
async function check(path: string, text: string, allowed: MadeAtRunTime[] = []): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    return checkFolders(folder, allowed);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('every regular expression of the product takes linear time', () => {
  expect(checkFolders(resolve(import.meta.dirname, '..'))).toEqual([]);
  // Takes seconds of computing, or minutes if the machine has other work.
}, 600_000);

test.each([
  ['src/header.ts', 'export const header = /^(\\w+):[ \\t]*(.*?)[ \\t]*$/;'],
  [
    'web/dashboard/src/placeholder.tsx',
    'const a = <b>{text.replace(/\\{\\{\\s*(.*?)\\s*\\}\\}/g, "")}</b>;',
  ],
  ['web/phone/public/page.js', 'text.split(/\\s*;\\s*;\\s*$/);'],
  ['clients/typescript/src/made.ts', 'const made = new RegExp("^(a*)*$", "u");'],
  ['src/joined.ts', 'const part = "(?:a+)+";\nconst made = RegExp("^" + part + `$`);'],
  ['src/schema.ts', 'const Name = Type.String({ maxLength: 9, pattern: "^(\\\\w+\\\\s?)*$" });'],
  ['src/shorthand.ts', 'const pattern = "^(a|a)*$";\nconst Name = { type: "string", pattern };'],
  ['src/source.ts', 'const shape = /\\s+$/;\nconst Name = { pattern: shape.source };'],
  [
    'src/object.ts',
    'const rules = { shape: "a+a+$" };\nexport const made = new RegExp(rules.shape);',
  ],
  ['src/matched.ts', 'text.match("a*a*b");'],
  ['web/dashboard/src/input.tsx', 'const a = <input pattern="(a+)+" />;'],
  ['src/found.ts', 'const doubled = /^(a+)\\1$/;'],
  ['src/grouped.ts', 'const grouped = /^(?:a|a)+$/;'],
  ['src/lines.ts', 'const lines = /^\\s+x/m;'],
  ['src/either.ts', 'const either = /^a|b+$/;'],
  ['src/counted.ts', 'const pair = /^a{1,1000}a{1,1000}$/;'],
])('an expression that backtracks is refused in %s', async (path, text) => {
  const problems = await check(path, text);
  expect(problems.length).toBeGreaterThan(0);
  for (const each of problems) {
    expect(each).toMatch(new RegExp(`^${path}:[12]: .* can take .* time, as with `));
  }
});

test.each([
  'x[^y]+y',
  'x?[^x]+y',
  '(?:x|)[^x]+y',
  '(?:[^:]+y)',
  '(?=[^=]+y)',
  '\\b[^b]+y',
  '\\\\([^(]+)y',
  'x{3}[^y]+y',
])(
  'a repeat after a character that it matches, or that may be missing, is refused in %s',
  (source) => {
    expect(checkExpression(source, '')).toMatch(/^can take .* time/);
  },
);

test('an expression created at run time is refused unless it is listed, and stale entries are refused', async () => {
  const path = 'src/made.ts';
  const code = 'new RegExp(given)';
  const text = `export const make = (given: string) => ${code};\n`;
  const listed = { path, code, why: 'only of the test' };
  expect(await check(path, text)).toEqual([
    `${path}:1: ${code} is made at run time, so it cannot be checked`,
  ]);
  expect(await check(path, text, [listed])).toEqual([]);
  expect(await check(path, '', [listed])).toEqual([`${path}: ${code} is listed, but not there`]);
});

test('tests, and text that only looks like an expression, are ignored', async () => {
  expect(await check('src/header.test.ts', 'const slow = /(a+)+$/;')).toEqual([]);
  expect(await check('src/text.ts', 'const half = (a) / (b+ +c) / "/(a+)+$/";')).toEqual([]);
});

test.each([
  ['^[a-z]{1,64}$', '^[a-z]+$'],
  ['a{0,61}b{32}c{3,8}d{9,}', 'a*b+c{3,8}d+'],
  ['\\{1,64}[{1,64}]\\u{1000}', '\\{1,64}[{1,64}]\\u{1000}'],
])('in %s a large count is checked like an unlimited one', (source, checked) => {
  expect(withoutLargeCounts(source)).toBe(checked);
});
