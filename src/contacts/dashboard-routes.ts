import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { assignContacts } from './assign-contacts.ts';
import { filterContacts, mostCounted } from './dashboard-queries.ts';
import {
  AssignContacts,
  ContactFilterQuery,
  ContactsDone,
  DeleteContacts,
  FilteredContacts,
} from './dashboard-schema.ts';
import { deleteContact } from './queries.ts';

/** What the dashboard does with contacts beyond the API: filters, and many at once. */
export function contactDashboardRoutes(
  api: TenantApi,
  services: { db: Database; clock: Clock },
): void {
  const { db } = services;

  api.get(
    '/contacts/filtered',
    { schema: { querystring: ContactFilterQuery, response: { 200: FilteredContacts } } },
    async ({ member, query: { page, per_page: perPage, ...filter } }) => {
      const found = await filterContacts(db, member.tenantId, filter, { page, perPage });
      const total = Math.min(found.total, mostCounted);
      return {
        success: true as const,
        data: found.contacts,
        pagination: {
          page,
          per_page: perPage,
          total,
          total_pages: Math.ceil(total / perPage),
          more: found.total > mostCounted,
        },
      };
    },
  );

  api.post(
    '/contacts/assign',
    { schema: { body: AssignContacts, response: { 200: ContactsDone } } },
    async ({ member, body: { ids, ...assignment } }) => ({
      success: true as const,
      data: { contacts: await assignContacts(services, member.tenantId, ids, assignment) },
    }),
  );

  api.post(
    '/contacts/delete',
    { schema: { body: DeleteContacts, response: { 200: ContactsDone } } },
    async ({ member, body: { ids } }) => {
      let contacts = 0;
      for (const id of new Set(ids)) {
        if (await deleteContact(db, member.tenantId, id)) contacts++;
      }
      return { success: true as const, data: { contacts } };
    },
  );
}
