import type { Database } from '../platform/database/database.ts';
import { retryDeadlock } from '../platform/database/failures/retry-deadlock.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { DeletedRecord, SuccessResponse } from '../platform/http/response-schema.ts';
import { success } from '../platform/http/success.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import { idFrom, idOrUnknown } from '../platform/values/id.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import type { DroppedReads } from '../webhooks/quota/count-dropped-reads.ts';
import { deleteContacts } from './delete-contacts.ts';
import { findContact } from './find-contact.ts';
import { readContact } from './queries.ts';
import { ContactChange, ContactPhoneQuery, ContactRecord, NewContact } from './schema.ts';
import { contactListRoute } from './searching/list-route.ts';
import type { ContactCreator } from './writing/create-contact.ts';
import { findContactFaults } from './writing/faults/find-contact-faults.ts';
import { findPutFaults, putContact } from './writing/put-contact.ts';
import { updateContact } from './writing/update-contact.ts';

const tags = ['Contacts'];
const messages = {
  created: 'The contact was created.',
  updated: 'The contact was updated.',
  deleted: 'The contact and its conversation were deleted. This cannot be undone.',
};

/** Registers the routes of a tenant's contacts (docs/spec.md, section 4.2). */
export function contactRoutes(
  api: TenantApi,
  {
    db,
    log,
    vault,
    createContact,
    droppedReads,
  }: {
    db: Database;
    log: Log;
    vault: Vault;
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
      schema: {
        operationId: 'createContact',
        tags,
        summary: 'Create a contact',
        description:
          'A phone number belongs to at most one contact of the tenant. `status_id`, `source_id` ' +
          'and `group_ids` are ids of existing statuses, sources and groups.',
        body: NewContact,
        response: { 200: SuccessResponse('The created contact.', ContactRecord, messages.created) },
      },
    },
    async (request) => {
      const data = await createContact(request, request.body);
      return success({ message: messages.created, data });
    },
  );

  contactListRoute(api, { vault, droppedReads });

  api.put(
    '/contacts',
    {
      config: {
        ability: 'contacts:update',
        alsoAbility: 'contacts:create',
        furtherFaults: ({ caller, query }, body) =>
          findPutFaults(db, caller.tenantId, (query as ContactPhoneQuery).phone, body),
      },
      schema: {
        operationId: 'putContact',
        tags,
        summary: 'Create or update the contact of a phone',
        description:
          'Changes only the fields in the body if a contact has the phone, in any of its forms; null clears a field. Otherwise ' +
          'it creates the contact, which needs a `firstname`.',
        querystring: ContactPhoneQuery,
        body: ContactChange,
        response: {
          200: SuccessResponse('The created or updated contact.', ContactRecord, messages.updated),
        },
      },
    },
    async ({ caller, query: { phone }, body }) => {
      const { contact, isNew } = await putContact({ db }, caller.tenantId, phone, body);
      const message = isNew ? messages.created : messages.updated;
      return success({ message, data: contact });
    },
  );

  api.get(
    '/contacts/:id',
    {
      config: { ability: 'contacts:read' },
      schema: {
        operationId: 'getContact',
        tags,
        summary: 'Get a contact',
        response: { 200: SuccessResponse('The contact.', ContactRecord) },
      },
    },
    async ({ db: reads, method, caller, params }) => {
      // A HEAD discloses no data, so it does not count as a read. Nor does a look by a member.
      const data =
        method === 'HEAD' || caller.memberId !== undefined
          ? await findContact(reads, caller.tenantId, idFrom(params))
          : await readContact(reads, caller.tenantId, idFrom(params), droppedReads);
      if (!data) throw notFound();
      return success({ data });
    },
  );

  api.put(
    '/contacts/:id',
    {
      config: {
        ability: 'contacts:update',
        furtherFaults: ({ caller, params }, body) =>
          findContactFaults(db, caller.tenantId, idOrUnknown(params), body),
      },
      schema: {
        operationId: 'updateContact',
        tags,
        summary: 'Update a contact',
        description:
          'Changes only the fields in the body; null clears a field. `group_ids` replaces all ' +
          'groups of the contact.',
        body: ContactChange,
        response: { 200: SuccessResponse('The updated contact.', ContactRecord, messages.updated) },
      },
    },
    async ({ caller, params, body }) => {
      const data = await updateContact({ db }, caller.tenantId, idOrUnknown(params), body);
      return success({ message: messages.updated, data });
    },
  );

  api.delete(
    '/contacts/:id',
    {
      config: { ability: 'contacts:delete' },
      schema: {
        operationId: 'deleteContact',
        tags,
        summary: 'Delete a contact and its conversation',
        description: 'Deletes all messages from and to the contact too. This cannot be undone.',
        response: { 200: SuccessResponse('The deleted contact.', DeletedRecord, messages.deleted) },
      },
    },
    async ({ caller, params }) => {
      const id = idFrom(params);
      const deleted = await retryDeadlock(() => deleteContacts({ db, log }, caller.tenantId, [id]));
      if (deleted === 0) throw notFound();
      return success({ message: messages.deleted, data: { id, deleted: true as const } });
    },
  );
}
