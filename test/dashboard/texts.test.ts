import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allAuditActions, auditFields, auditKinds } from '../../src/audit/actions.ts';
import { BotChange } from '../../src/bots/schema.ts';
import { settingColumns } from '../../src/tenants/queries.ts';
import { allAbilities } from '../../src/tenants/tokens/abilities.ts';
import { changeText } from '../../web/dashboard/src/features/audit/change-text.ts';
import { apiSettings } from '../../web/texts/api-settings.ts';
import { audit } from '../../web/texts/audit.ts';
import { stores } from '../../web/texts/stores.ts';
import { textOr } from '../../web/texts/translator.ts';

const web = fileURLToPath(new URL('../../web', import.meta.url));

test('every text is used by a page', async () => {
  // Builds come and go while other tests run.
  const exclude = (path: string) => /^\w+\/dist(\.|$)|^texts\/en$/.test(path);
  const paths = globSync('**/*.{ts,tsx}', { cwd: web, exclude });
  const files = await Promise.all(paths.map((path) => readFile(join(web, path), 'utf8')));
  // The codes of the service are the keys of faults.json (faults.test.ts).
  const modules = (await readdir(join(web, 'texts'))).filter(
    (name) => name.endsWith('.ts') && name !== 'faults.ts',
  );
  const unused: string[] = [];
  for (const name of modules) {
    const source = await readFile(join(web, 'texts', name), 'utf8');
    const catalogues = [...source.matchAll(/'\.\/en\/([\w-]+)\.json'/g)].map(([, each]) => each!);
    const users = files.filter((file) => file.includes(`/${basename(name)}'`)).join('\n');
    const patterns = keyPatterns(users);
    for (const catalogue of catalogues) {
      const path = join(web, 'texts/en', `${catalogue}.json`);
      for (const key of keysOf(JSON.parse(await readFile(path, 'utf8')))) {
        if (!patterns.some((pattern) => pattern.test(key))) unused.push(`${catalogue}: ${key}`);
      }
    }
  }
  expect(unused).toEqual([]);
});

test('a name from the service has its text, also with a dot, and otherwise is shown itself', () => {
  expect(textOr(stores, 'topics.order.created', 'order.created')).toBe('Order created');
  expect(textOr(stores, 'topics.order.paid', 'order.paid')).toBe('order.paid');
  expect(textOr(stores, 'topics.constructor', 'constructor')).toBe('constructor');
});

test('every ability of a token has its text, also in the audit log', () => {
  const missing = allAbilities.filter(
    (ability) =>
      textOr(apiSettings, `operations.${ability.split(':')[1]}`, '') === '' ||
      textOr(audit, `abilities.${ability}`, '') === '',
  );
  expect(missing).toEqual([]);
});

test('changes in the audit log name labels, abilities and filters in words', () => {
  const group = { field: 'add_group_id', after: 7 };
  expect(changeText({ ...group, after_name: 'VIP' })).toBe('Added to group: VIP');
  expect(changeText(group)).toBe('Added to group: 7');
  expect(changeText({ field: 'status_id', after: null })).toBe('Status: none');
  expect(changeText({ field: 'filter', after: ['search', 'group_id'] })).toBe(
    'Filters: Search, Group',
  );
  expect(changeText({ field: 'abilities', after: ['messages:text', 'media:read'] })).toBe(
    'Abilities: send texts, download files',
  );
  expect(changeText({ field: 'headers' })).toBe('Headers');
  expect(changeText({ field: 'role', before: 'staff', after: 'owner' })).toBe(
    'Role: staff → owner',
  );
});

test('every change of the audit log has its text, and so has each of its fields', () => {
  const missingOf = (group: string, names: readonly string[]) =>
    names.filter((name) => textOr(audit, `${group}.${name}`, '') === '');
  expect(missingOf('kinds', auditKinds)).toEqual([]);
  expect(missingOf('actions', allAuditActions)).toEqual([]);
  expect(missingOf('fields', auditFields)).toEqual([]);
  const settings = [...settingColumns, ...Object.keys(BotChange.properties)];
  expect(settings.filter((name) => !auditFields.includes(name))).toEqual([]);
});

/** The keys that a source asks for: those of `'a.b'` and `a.${b}`, and of a group, all below it. */
function keyPatterns(source: string): RegExp[] {
  const literals = source.matchAll(/'([\w.:-]+)'|`([\w.:${}[\]()' ?!=|]+)`/g);
  return [...literals].map(([, plain, template]) => {
    const key = (plain ?? template!.replaceAll(/\$\{[^}]*\}/g, '\0'))
      .replaceAll('.', '\\.')
      .replaceAll('\0', '[^.]+')
      .replaceAll(/[()?|]/g, '\\$&');
    return new RegExp(`^${key}(\\.|$)`);
  });
}

/** `{a: {b: 'text'}}` as `a.b`. */
function keysOf(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? `${before}${key}` : keysOf(text, `${before}${key}.`),
  );
}
