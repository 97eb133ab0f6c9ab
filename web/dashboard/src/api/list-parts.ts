/** The data of a list that is loaded in parts, the newest items first. */
export type ListPages<Part> = { pages: Part[]; pageParams: unknown[] };

/** Whether a list continues after a part, or where. */
type End = { more?: boolean; after?: string | null; next?: number | null };

/**
 * Replaces the first part of a list by what it is now, and takes what is in it out of the others. If so much is new
 * that items between the first part and the others may be missing, the others go.
 *
 * @param field the name of the items in a part
 * @param idOf returns what a list is sorted by. It differs for each item
 * @param keyOf identifies an item whose place in the list can change
 */
export function replaceFirstPart<Field extends string, Part extends Record<Field, unknown[]>>(
  { pages, pageParams }: ListPages<Part>,
  first: Part,
  field: Field,
  idOf: (item: Part[Field][number]) => number,
  keyOf: (item: Part[Field][number]) => unknown = idOf,
): ListPages<Part> {
  const items = first[field];
  const ids = new Set(items.map(idOf));
  const keys = new Set(items.map(keyOf));
  const before = pages.flatMap((page) => page[field] as unknown[]);
  const lastKnown = before.findLastIndex((item) => ids.has(idOf(item)));
  const others = lastKnown < 0 ? [] : before.slice(lastKnown + 1);
  const older = new Set(others.filter((item) => !keys.has(keyOf(item))));
  if (older.size === 0 || isLast(first)) return { pages: [first], pageParams: [pageParams[0]] };
  return {
    pages: pages.map((page, index) => {
      const rest = page[field].filter((item) => older.has(item));
      if (index > 0) return { ...page, [field]: rest };
      const { more, after, next } = page as End;
      return { ...first, more, after, next, [field]: [...items, ...rest] };
    }),
    pageParams,
  };
}

function isLast({ more, after }: End): boolean {
  return !(more ?? after);
}
