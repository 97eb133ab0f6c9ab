import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkExpression } from './regular-expressions/check-expression.ts';
import { findExpressions } from './regular-expressions/find-expressions.ts';

/**
 * Checks that no regular expression of the product takes more than linear time for any text: `node
 * scripts/check-regular-expressions.ts`. A single expression that backtracks over a long text would stop the
 * process for every tenant.
 */
const root = resolve(import.meta.dirname, '..');
const folders = ['src', 'web', 'clients'];
const isLeftOut = /(?:^|\/)(?:node_modules|dist|test)(?:\/|$)|\.test\.tsx?$/;

/** Expressions created at run time, by file and code, with the reason why each is safe. */
const madeAtRunTime: { path: string; code: string; why: string }[] = [
  {
    path: 'src/platform/values/phones/phone.ts',
    code: 'new RegExp(anchored)',
    why: 'from the tables of libphonenumber-js; only used on at most 15 digits',
  },
  {
    path: 'src/api-description/write-schema.ts',
    code: 'written',
    why: 'written to the API description and never run; its schema is checked where it stands',
  },
];

/** @returns a line for each problem */
export function checkFolders(base: string, allowed = madeAtRunTime): string[] {
  const problems: string[] = [];
  const unused = new Set(allowed);
  const checked = new Map<string, string | undefined>();
  const pattern = `{${folders.join(',')}}/**/*.{ts,tsx,js}`;
  const paths = globSync(pattern, { cwd: base, exclude: (path) => isLeftOut.test(path) });
  for (const path of paths.sort()) {
    for (const found of findExpressions(path, readFileSync(join(base, path), 'utf8'))) {
      const place = `${found.path}:${found.line}: ${found.code}`;
      if (found.source === undefined) {
        const entry = allowed.find((each) => each.path === path && each.code === found.code);
        if (entry) unused.delete(entry);
        else problems.push(`${place} is made at run time, so it cannot be checked`);
        continue;
      }
      const key = `/${found.source}/${found.flags}`;
      if (!checked.has(key)) checked.set(key, checkExpression(found.source, found.flags));
      const problem = checked.get(key);
      if (problem) problems.push(`${place} ${problem}`);
    }
  }
  for (const { path, code } of unused) problems.push(`${path}: ${code} is listed, but not there`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkFolders(root);
  for (const each of problems) process.stderr.write(`${each}\n`);
  if (problems.length > 0) process.exit(1);
}
