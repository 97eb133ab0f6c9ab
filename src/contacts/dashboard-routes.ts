import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { retryDeadlock } from '../platform/database/failures/retry-deadlock.ts';
import { invalid, notFound } from '../platform/errors/api-error.ts';
import { fault, storedCode } from '../platform/errors/fault.ts';
import { success } from '../platform/http/success.ts';
import type { Log } from '../platform/log.ts';
import { idFrom } from '../platform/values/id.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { filterContacts, maxCounted } from './dashboard-queries.ts';
import {
  AssignContacts,
  BulkChanges,
  ChangeAllContacts,
  ContactFilterQuery,
  ContactsDone,
  DeleteContacts,
  Done,
  FilteredContacts,
  StartedBulkChange,
} from './dashboard-schema.ts';
import { deleteContacts } from './delete-contacts.ts';
import { assignContacts, labelsGiven } from './many/assign-contacts.ts';
import { startBulk, stopBulk } from './many/bulk-changes.ts';
import { type BulkRow, isDeletion, listBulks } from './many/bulk-queries.ts';
import { refuseUnknownLabels } from './writing/faults/refuse-unknown-labels.ts';

const bulksShown = 3;

/** Registers the routes for contacts that only the dashboard has: filters and bulk changes. */
export function contactDashboardRoutes(api: TenantApi, services: { db: Database; log: Log }): void {
  const { db } = services;

  api.get(
    '/contacts/filtered',
    {
      config: { limitConcurrency: true },
      schema: { querystring: ContactFilterQuery, response: { 200: FilteredContacts } },
    },
    async ({ db: reads, member, query: { page, per_page: perPage, ...filter } }) => {
      const found = await filterContacts(reads, member.tenantId, filter, { page, perPage });
      const total = Math.min(found.total, maxCounted);
      return success({
        data: found.contacts,
        pagination: {
          page,
          per_page: perPage,
          total,
          total_pages: Math.ceil(total / perPage),
          more: found.total > maxCounted,
        },
      });
    },
  );

  api.post(
    '/contacts/assign',
    { schema: { body: AssignContacts, response: { 200: ContactsDone } } },
    async ({ member, body: { ids, ...assignment } }) =>
      success({
        data: { contacts: await assignContacts(services, member.tenantId, ids, assignment) },
      }),
  );

  api.post(
    '/contacts/delete',
    { schema: { body: DeleteContacts, response: { 200: ContactsDone } } },
    async ({ member, body: { ids } }) => {
      const contacts = await retryDeadlock(() =>
        db.transaction(async (tx) => {
          const deleted = await deleteContacts({ ...services, db: tx }, member.tenantId, ids);
          if (deleted > 0) {
            const changes = [{ field: 'contacts', before: deleted }];
            await recordAudit(tx, member.tenantId, { action: 'contacts.deleted', changes });
          }
          return deleted;
        }),
      );
      return success({ data: { contacts } });
    },
  );

  api.post(
    '/contacts/bulk',
    { schema: { body: ChangeAllContacts, response: { 200: StartedBulkChange } } },
    async ({ member: { tenantId }, body: { filter, change } }) => {
      if (!isDeletion(change)) await refuseUnknownLabels(db, tenantId, labelsGiven(change));
      const started = await startBulk(db, tenantId, filter, change);
      if (!started)
        throw invalid({
          change: [fault('bulk_running', 'cannot start until the running one has ended')],
        });
      return success({ data: presentBulk(started) });
    },
  );

  api.get(
    '/contacts/bulk',
    { schema: { response: { 200: BulkChanges } } },
    async ({ db: reads, member }) =>
      success({ data: (await listBulks(reads, member.tenantId, bulksShown)).map(presentBulk) }),
  );

  api.post(
    '/contacts/bulk/:id/stop',
    { schema: { response: { 200: Done } } },
    async ({ member, params }) => {
      if (!(await stopBulk(db, member.tenantId, idFrom(params)))) throw notFound();
      return success({});
    },
  );
}

function presentBulk({ started_at, ...row }: BulkRow) {
  const problem_says = storedCode(row.problem, row.problem_says);
  return { ...row, problem_says, started_at: started_at.toISOString() };
}
