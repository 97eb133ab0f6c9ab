import { type Result, unwrap } from './errors.ts';

/** One part of a list with a cursor. */
export type ListPage<Entry> = { data: Entry[]; pagination: { next: string | null } };

/**
 * Reads a list page by page.
 *
 * @param read reads the page after a cursor; the first one without a cursor
 * @throws ParleyError if a page is refused
 */
export async function* pages<Page extends ListPage<unknown>>(
  read: (after: string | undefined) => Promise<Result<Page>>,
): AsyncGenerator<Page, void> {
  let after: string | undefined;
  do {
    const page = unwrap(await read(after));
    yield page;
    after = page.pagination.next ?? undefined;
  } while (after !== undefined);
}

/**
 * Reads all entries of a list, in as many requests as needed.
 *
 *     for await (const contact of walk((after) =>
 *       parley.GET('/contacts', { params: { query: { after, per_page: 100 } } }))) ...
 */
export async function* walk<Entry>(
  read: (after: string | undefined) => Promise<Result<ListPage<Entry>>>,
): AsyncGenerator<Entry, void> {
  for await (const { data } of pages(read)) yield* data;
}
