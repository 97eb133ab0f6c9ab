import type { FastifyRequest } from 'fastify';
import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { type CursorScope, createCursors } from '../../platform/http/cursor.ts';
import { PageResponse } from '../../platform/http/response-schema.ts';
import { success } from '../../platform/http/success.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import type { DroppedReads } from '../../webhooks/quota/count-dropped-reads.ts';
import { ContactListQuery, ContactRecord } from '../schema.ts';
import type { Place } from './find-page.ts';
import { listContacts } from './list-contacts.ts';
import { listFiltered } from './list-filtered.ts';

/** The position of a page: its number, the total as counted for the first page, and the contact before it. */
type Position = { page: number; total: number; after: Place };

/** Registers the list of contacts, by page (docs/spec.md, section 4.2) or by cursor. */
export function contactListRoute(
  api: TenantApi,
  { vault, droppedReads }: { vault: Vault; droppedReads: DroppedReads },
): void {
  const cursors = createCursors(vault);

  api.get(
    '/contacts',
    {
      config: { ability: 'contacts:read', limitConcurrency: true },
      schema: {
        operationId: 'listContacts',
        tags: ['Contacts'],
        summary: 'List contacts by page or by cursor',
        description:
          'A page after the last one is empty. To read everything, pass `next` of each page as `after` of the ' +
          'following one, with the same parameters: this is as fast at the end as at the beginning, and `total` ' +
          'stays what it was for the first page.',
        querystring: ContactListQuery,
        response: { 200: PageResponse('The contacts of one page.', ContactRecord) },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const { page: _, per_page: perPage, after, ...scope } = query;
      const list: CursorScope = { list: 'contacts', tenantId: caller.tenantId, filter: scope };
      const from = after === undefined ? undefined : cursors.read<Position>(list, after);
      if (from && query.page !== 1) throw invalid({ page: [notWithAfter] });
      const page = from ? from.page + 1 : query.page;
      const { contacts, total, last } = await readPage(request, query, from);
      return success({
        data: contacts,
        pagination: {
          page,
          per_page: perPage,
          total,
          total_pages: Math.ceil(total / perPage),
          next: last ? cursors.write(list, { page, total, after: last }) : null,
        },
      });
    },
  );

  async function readPage(
    { db, method, caller: { tenantId, memberId } }: FastifyRequest,
    { page, per_page: perPage, after: _, sort, updated_after, ...filter }: ContactListQuery,
    from: Position | undefined,
  ) {
    // A HEAD discloses no data, and members look at lists all the time.
    const isQuiet = method === 'HEAD' || memberId !== undefined;
    const omitUsernames = memberId === undefined;
    const { search: given, ...others } = filter;
    // A client that does not encode the + of a phone has sent a space.
    const search = given?.replace(/^ (?=[1-9]\d{6,14}$)/, '+');
    const isNewestFirst = sort === '-created_at';
    const isPlain =
      Object.keys(others).length === 0 &&
      (isNewestFirst || (sort ?? 'created_at') === 'created_at');
    if (isPlain && !from && updated_after === undefined) {
      const list = { page, perPage, search, omitUsernames, isNewestFirst, isQuiet };
      const { total, contacts } = await listContacts(db, tenantId, list, droppedReads);
      const last = page * perPage < total ? contacts.at(-1) : undefined;
      return { total, contacts, last: last && { id: last.id, key: String(last.id) } };
    }
    return listFiltered(
      db,
      tenantId,
      {
        ...others,
        search,
        omitUsernames,
        ...(updated_after !== undefined && { updatedAfterMs: Date.parse(updated_after) }),
      },
      sort ?? 'created_at',
      from ?? { offset: (page - 1) * perPage },
      { perPage, isQuiet },
      droppedReads,
    );
  }
}

const notWithAfter = fault(
  'page_with_after',
  'must be absent with after, which says where to go on',
);
