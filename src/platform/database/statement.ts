import type { Sql } from 'sql-template-tag';

/** A statement that each connection parses and plans once; `name` is unique in the program. */
export type Prepared = { name: string; text: string; values: unknown[] };

/** A list is one row or many (`rowsOf`), so a statement with three lists has up to eight texts. */
const maxTexts = 8;

/** The texts of each statement, in the order in which they first ran. */
const textsByName = new Map<string, string[]>();

/**
 * Names a statement, so that each connection parses and plans it once:
 *
 *     const { rows } = await db.query<{ name: string }>(
 *       statement('find-thing', sql`
 *         select name from things where tenant_id = ${tenantId} and id = ${id}`));
 *
 * Its text must not depend on its values, apart from what `rowsOf` chooses. A statement whose text is
 * assembled from varying parts, such as filters, goes to `query` without a name.
 *
 * @throws Error if a name has more texts than its lists can explain
 */
export function statement(name: string, { text, values }: Sql): Prepared {
  const texts = textsByName.get(name) ?? [];
  let place = texts.indexOf(text);
  if (place < 0) {
    if (texts.length === maxTexts) throw new Error(`the text of ${name} depends on its values`);
    place = texts.push(text) - 1;
    textsByName.set(name, texts);
  }
  return { name: place === 0 ? name : `${name}-${place + 1}`, text: texts[place]!, values };
}
