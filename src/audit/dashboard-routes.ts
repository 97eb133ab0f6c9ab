import { createCursors } from '../platform/http/cursor.ts';
import { success } from '../platform/http/success.ts';
import type { Vault } from '../platform/secrets/crypto.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import type { Actor } from './actor.ts';
import { AuditActors, AuditLog, AuditQuery } from './dashboard-schema.ts';
import { presentActor, presentEntry } from './present-entry.ts';
import { type EntryPosition, listActors, listEntries } from './queries.ts';

const entriesPerPage = 50;

/** Registers the routes of the audit log. Only owners read it: it has the emails of people who have left. */
export function auditDashboardRoutes(api: TenantApi, { vault }: { vault: Vault }): void {
  const cursors = createCursors(vault);

  api.get(
    '/audit',
    {
      config: { owner: true, limitConcurrency: true },
      schema: { querystring: AuditQuery, response: { 200: AuditLog } },
    },
    async ({ db, member: { tenantId }, query: { after, ...filter } }) => {
      const scope = { list: 'audit', tenantId, filter };
      const before = after ? cursors.read<EntryPosition>(scope, after) : undefined;
      const { kind, actor } = filter;
      const rows = await listEntries(
        db,
        tenantId,
        { kind, actor: actor === undefined ? undefined : actorFrom(actor) },
        // One more shows whether there is a next page.
        { before, limit: entriesPerPage + 1 },
      );
      const entries = rows.slice(0, entriesPerPage).map(presentEntry);
      const last = entries.at(-1);
      const hasMore = rows.length > entriesPerPage && last !== undefined;
      return success({
        data: {
          entries,
          after: hasMore ? cursors.write(scope, { at: last.at, id: last.id }) : null,
        },
      });
    },
  );

  api.get(
    '/audit/actors',
    { config: { owner: true }, schema: { response: { 200: AuditActors } } },
    async ({ db, member: { tenantId } }) => {
      const actors = await listActors(db, tenantId);
      return success({ data: { actors: actors.map(presentActor) } });
    },
  );
}

/** Reads `token:12` or `operator`, which the schema has checked. */
function actorFrom(text: string): { kind: Actor['kind']; id: string } {
  const [kind, id = ''] = text.split(':') as [Actor['kind'], string?];
  return { kind, id };
}
