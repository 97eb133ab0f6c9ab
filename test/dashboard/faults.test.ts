import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import { describe, expect, test } from 'vitest';
import { findFaults } from '../checks/find-faults.ts';
import { signIn } from '../features/sign-in.ts';
import { testApp } from '../program/app.ts';

const root = new URL('../../', import.meta.url);
const catalogue: Record<string, string> = JSON.parse(
  await readFile(new URL('web/texts/en/faults.json', root), 'utf8'),
);
const found = await findFaults(fileURLToPath(new URL('src', root)));
const app = testApp();

describe('the sentences of the service', () => {
  test('have a wording in the catalogue for each code, and no wording is without a code', () => {
    const codes = new Set(found.map(({ code }) => code));
    expect([...codes].sort()).toEqual(Object.keys(catalogue).sort());
  });

  test('have the same values wherever they have the same code', () => {
    const byCode = Map.groupBy(found, ({ code }) => code);
    for (const [code, [first, ...others]] of byCode) {
      for (const each of others) expect(each.values.sort(), code).toEqual(first!.values.sort());
    }
  });

  test('are worded with values that they have', () => {
    for (const { code, values } of found) {
      for (const name of valuesIn(compile(catalogue[code]!))) expect(values, code).toContain(name);
    }
  });

  test('go to our own pages with their codes and values, and to clients of the API as text', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const faulty = { name: 'x'.repeat(300), color: 'red' };
    const toPage = await owner.call('POST', '/statuses', faulty);
    expect(toPage.body).toMatchObject({
      message: expect.stringContaining('name must have at most'),
      code: 'validation_failed',
      errors: { color: [expect.stringContaining('must be a color')] },
      faults: {
        name: [{ code: 'too_long', values: { found: 300 } }],
        color: [{ code: 'not_a_color' }],
      },
    });
    const toClient = await shop.call('POST', '/statuses', faulty);
    const { faults, ...same } = toPage.body;
    expect(toClient.body).toEqual(same);
  });
});

/** The names of the values in a compiled text: a list of texts and of nodes, whose branches are texts again. */
function valuesIn(text: unknown): string[] {
  if (!Array.isArray(text)) return [];
  return text.flatMap((part) => {
    if (!Array.isArray(part)) return [];
    const [name, , branches] = part as [string, number?, object?];
    const below = typeof branches === 'object' ? Object.values(branches).flatMap(valuesIn) : [];
    return [name, ...below];
  });
}
