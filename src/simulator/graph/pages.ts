import type { JsonObject } from '../types.ts';
import { GraphError } from './graph-errors.ts';

export type PageRequest = { limit?: string; after?: string; before?: string };

/**
 * Presents one page of a list, of 25 records by default. Only a page with a successor has `next`; every page has
 * `after`.
 */
export function pageOf<Item>(
  items: Item[],
  query: PageRequest,
  address: URL,
  present: (item: Item) => JsonObject,
): JsonObject {
  const limit = query.limit === undefined ? 25 : Number(query.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw GraphError.parameter('Param limit must be a positive integer.');
  }
  const [start, end] = rangeOf(query, limit);
  const page = items.slice(start, end);
  if (page.length === 0) return { data: [] };
  const after = cursor(start + page.length);
  const paging: JsonObject = { cursors: { before: cursor(start), after } };
  if (start + page.length < items.length) {
    const next = new URL(address);
    next.searchParams.delete('before');
    next.searchParams.set('after', after);
    paging.next = next.href;
  }
  return { data: page.map(present), paging };
}

/** Returns the positions of the first record of a page, and of that after its last one. */
function rangeOf({ after, before }: PageRequest, limit: number): [number, number] {
  if (before && !after) {
    const end = readCursor(before);
    return [Math.max(0, end - limit), end];
  }
  const start = after ? readCursor(after) : 0;
  return [start, start + limit];
}

// The network's cursors are base64 of an offset with its padding written as ZD.
function cursor(offset: number): string {
  return Buffer.from(String(offset)).toString('base64').replaceAll('=', 'ZD');
}

function readCursor(text: string): number {
  const offset = Buffer.from(text.replaceAll('ZD', '='), 'base64').toString('latin1');
  if (!/^\d{1,9}$/.test(offset)) throw GraphError.parameter('Invalid cursors values');
  return Number(offset);
}
