import { Type } from 'typebox';
import type { Database } from '../../../platform/database/database.ts';
import { Nullable } from '../../../platform/http/field-schema.ts';
import { DataResponse } from '../../../platform/http/response-schema.ts';
import { success } from '../../../platform/http/success.ts';
import { idFrom } from '../../../platform/values/id.ts';
import { recipientOf } from '../../../platform/values/phones/recipient.ts';
import type { TenantApi } from '../../../tenants/api/tenant-api.ts';
import { listMerges } from './list-merges.ts';
import { undoMerge } from './undo-merge.ts';

const Merges = DataResponse(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      merged_at: Type.String({ format: 'date-time' }),
      contact_id: Nullable('integer'),
      earlier_identity: Type.String(),
      identity: Type.String(),
      merged_name: Nullable('string', { description: 'The name of the contact that was merged.' }),
    }),
  ),
);

const Undone = Type.Object({ success: Type.Literal(true) });

/** Registers the log of contacts and conversations that became one, and its undo, for the dashboard. */
export function mergeRoutes(api: TenantApi, { db }: { db: Database }): void {
  api.get(
    '/contact-merges',
    { schema: { response: { 200: Merges } } },
    async ({ db: reads, member }) => {
      const merges = await listMerges(reads, member.tenantId);
      const data = merges.map(({ merged_at, earlier_identity, identity, ...merge }) => ({
        ...merge,
        earlier_identity: recipientOf(earlier_identity),
        identity: recipientOf(identity),
        merged_at: merged_at.toISOString(),
      }));
      return success({ data });
    },
  );

  api.post(
    '/contact-merges/:id/undo',
    { schema: { response: { 200: Undone } } },
    async ({ member, params }) => {
      await undoMerge(db, member.tenantId, idFrom(params));
      return success({});
    },
  );
}
