type Item = { id?: number; inbound_id?: number };

/** A part of a list, the newest first: one field with the items, and whether or where there are more. */
export type ListPart = Record<string, unknown>;

/** The data of a list that is loaded in parts. */
export type ListPages = { pages: ListPart[]; pageParams: unknown[] };

/**
 * Replaces the first part of a list by what it is now, and takes what is in it out of the others. If so much is new
 * that items between the first part and the others may be missing, the others go.
 */
export function replaceFirstPart({ pages, pageParams }: ListPages, first: ListPart): ListPages {
  const items = itemsOf(first);
  const fresh = new Set(items.map(idOf));
  const before = pages.flatMap(itemsOf).map(idOf);
  const lastKnown = before.findLastIndex((id) => fresh.has(id));
  if (lastKnown < 0 || !hasMore(first)) return { pages: [first], pageParams: [pageParams[0]] };
  const older = new Set(before.slice(lastKnown + 1));
  return {
    pages: pages.map((page, index) => {
      const rest = itemsOf(page).filter((item) => older.has(idOf(item)));
      return { ...page, [fieldOf(page)]: index === 0 ? [...items, ...rest] : rest };
    }),
    pageParams,
  };
}

function fieldOf(part: ListPart): string {
  return Object.keys(part).find((name) => Array.isArray(part[name]))!;
}

function itemsOf(part: ListPart): Item[] {
  return part[fieldOf(part)] as Item[];
}

function idOf({ id, inbound_id: inboundId }: Item): number {
  return id ?? inboundId ?? 0;
}

function hasMore({ more, after }: ListPart): boolean {
  return more === true || typeof after === 'string';
}
