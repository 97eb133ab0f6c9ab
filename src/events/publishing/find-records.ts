import sql from 'sql-template-tag';
import { phoneOfMessage } from '../../messages/conversations/person.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';

export type RecordRow = {
  tenant_id: number;
  id: number;
  person: string;
  direction: 'in' | 'out';
  kind: string;
  phone: string;
  network_id: string | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
};

/** Finds messages of several tenants, without those that were deleted with their contact. */
export async function findRecordsOfTenants(
  db: Db,
  messages: { tenantId: number; id: number }[],
): Promise<RecordRow[]> {
  const { rows } = await db.query<RecordRow>(
    statement(
      'find-records-of-tenants',
      sql`
        select messages.tenant_id, messages.id, messages.person, direction, kind, network_id,
               ${phoneOfMessage} as phone, messages.created_at, sent_at, delivered_at, read_at, failed_at
        from ${rowsOf('asked', messages, {
          tenant_id: ['bigint', ({ tenantId }) => tenantId],
          id: ['bigint', ({ id }) => id],
        })}
        join messages on messages.tenant_id = asked.tenant_id and messages.id = asked.id
        left join message_states as state
          on state.tenant_id = asked.tenant_id and state.message_id = asked.id`,
    ),
  );
  return rows;
}

export function presentRecord(
  row: RecordRow,
  { status }: { status: 'sent' | 'failed' | 'delivered' | 'read' | 'received'; at: Date },
) {
  return {
    id: row.id,
    message_id: row.network_id,
    direction: row.direction,
    type: row.kind,
    status,
    phone_number: row.phone,
    delivered_at: status === 'sent' ? null : (row.delivered_at?.toISOString() ?? null),
  };
}
