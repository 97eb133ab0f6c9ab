import { notFound } from '../errors.ts';
import type { Database } from '../platform/database/database.ts';
import { idFrom, idOrNobody } from '../platform/id.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import type { DroppedReads } from '../webhooks/quota/count-dropped-reads.ts';
import { deleteContacts, findContact, readContact } from './queries.ts';
import {
  ContactChange,
  ContactPage,
  ContactPageQuery,
  DeletedContact,
  NewContact,
  OneContact,
} from './schema.ts';
import { listContacts } from './searching/list-contacts.ts';
import type { ContactCreator } from './writing/create-contact.ts';
import { findContactFaults } from './writing/find-contact-faults.ts';
import { updateContact } from './writing/update-contact.ts';

/** The contacts of a tenant (spec, section 4.2). */
export function contactRoutes(
  api: TenantApi,
  {
    db,
    createContact,
    droppedReads,
  }: {
    db: Database;
    createContact: ContactCreator;
    droppedReads: DroppedReads;
  },
): void {
  api.post(
    '/contacts',
    {
      config: {
        ability: 'contacts:create',
        countedByWrite: true,
        furtherFaults: ({ caller }, body) =>
          findContactFaults(db, caller.tenantId, undefined, body),
      },
      schema: { body: NewContact, response: { 200: OneContact } },
    },
    async (request) => {
      const data = await createContact(request, request.body);
      return { success: true as const, message: 'The contact was created.', data };
    },
  );

  api.get(
    '/contacts',
    {
      config: { ability: 'contacts:read', inTurn: true },
      schema: { querystring: ContactPageQuery, response: { 200: ContactPage } },
    },
    async ({ method, caller, query: { page, per_page: perPage, search } }) => {
      const asked = { page, perPage, search, unseen: method === 'HEAD' };
      const { total, contacts } = await listContacts(db, caller.tenantId, asked, droppedReads);
      return {
        success: true as const,
        data: contacts,
        pagination: { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage) },
      };
    },
  );

  api.get(
    '/contacts/:id',
    { config: { ability: 'contacts:read' }, schema: { response: { 200: OneContact } } },
    async ({ method, caller, params }) => {
      // A HEAD gives nothing out.
      const data =
        method === 'HEAD'
          ? await findContact(db, caller.tenantId, idFrom(params))
          : await readContact(db, caller.tenantId, idFrom(params), droppedReads);
      if (!data) throw notFound();
      return { success: true as const, data };
    },
  );

  api.put(
    '/contacts/:id',
    {
      config: {
        ability: 'contacts:update',
        furtherFaults: ({ caller, params }, body) =>
          findContactFaults(db, caller.tenantId, idOrNobody(params), body),
      },
      schema: { body: ContactChange, response: { 200: OneContact } },
    },
    async ({ caller, params, body }) => {
      const data = await updateContact({ db }, caller.tenantId, idOrNobody(params), body);
      return { success: true as const, message: 'The contact was updated.', data };
    },
  );

  api.delete(
    '/contacts/:id',
    { config: { ability: 'contacts:delete' }, schema: { response: { 200: DeletedContact } } },
    async ({ caller, params }) => {
      const id = idFrom(params);
      if ((await deleteContacts(db, caller.tenantId, [id])) === 0) throw notFound();
      return {
        success: true as const,
        message: 'The contact and its conversation were deleted. This cannot be undone.',
        data: { id, deleted: true as const },
      };
    },
  );
}
