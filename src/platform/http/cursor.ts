import { createHmac, timingSafeEqual } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { invalid } from '../errors/api-error.ts';
import { fault } from '../errors/fault.ts';
import type { Vault } from '../secrets/crypto.ts';
import { doc, Nullable } from './field-schema.ts';

/** The list that a cursor belongs to: its name, the tenant, and everything that decides its entries and their order. */
export type CursorScope = { list: string; tenantId: number; filter: object };

const tagBytes = 12;
/** For the API description. */
export const exampleCursor = 'x3A_k2BsVq1cWyJ4M0FfMTc5MzAwMDAwMDAwMDAwMCw0Ml0';

/**
 * Creates the reader and writer of cursors: positions in a list that a client passes back as they are. A cursor is
 * authenticated together with its scope, so a cursor of another list, tenant or filter is refused, and a readable one
 * has a position that this service wrote.
 */
export function createCursors(vault: Vault) {
  const keys = vault.deriveAll('cursors');

  /** The tags with each master key. The first is that of new cursors. */
  function tagsOf({ list, tenantId, filter }: CursorScope, position: string): Buffer[] {
    const known = Object.entries(filter).filter(([, value]) => value !== undefined);
    const scope = JSON.stringify([list, tenantId, known.sort(([a], [b]) => (a < b ? -1 : 1))]);
    return keys.map((key) =>
      createHmac('sha256', key).update(`${scope}\n${position}`).digest().subarray(0, tagBytes),
    );
  }

  return {
    write(scope: CursorScope, position: object): string {
      const text = JSON.stringify(position);
      return Buffer.concat([tagsOf(scope, text)[0]!, Buffer.from(text)]).toString('base64url');
    },

    /** @throws ApiError 422 on `after` */
    read<Position extends object>(scope: CursorScope, cursor: string): Position {
      const bytes = Buffer.from(cursor, 'base64url');
      const text = bytes.subarray(tagBytes).toString();
      const tag = bytes.subarray(0, tagBytes);
      const isOurs =
        tag.length === tagBytes && tagsOf(scope, text).some((each) => timingSafeEqual(tag, each));
      if (!isOurs) throw invalid({ after: [notOfList] });
      return JSON.parse(text);
    },
  };
}

/** The query parameters of a list with a cursor. */
export const cursorQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 25,
    ...doc('Maximum number of records on a page, 25 if left out.', 25),
  }),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      ...doc(
        '`pagination.next` of the page before, with the same filters. Leave it out for the first page.',
        exampleCursor,
      ),
    }),
  ),
};

/** The schema of one page of a list with a cursor. */
export function CursorPage<Entry extends TSchema>(description: string, entry: Entry) {
  return Type.Object(
    {
      success: Type.Literal(true, doc('The request was carried out.')),
      data: Type.Array(entry, { description }),
      pagination: Type.Object(
        {
          next: Nullable(
            'string',
            doc('`after` of the next page; null on the last page.', exampleCursor),
          ),
          limit: Type.Integer(doc('The maximum number of records on this page.', 25)),
        },
        { title: 'CursorPagination', ...doc('How to go on.') },
      ),
    },
    { description },
  );
}

const notOfList = fault(
  'cursor_of_another_list',
  'must be the `next` of an earlier response to this request, with the same parameters',
);
