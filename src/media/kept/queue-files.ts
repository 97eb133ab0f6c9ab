import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';

/** NOTIFY channel for new files in the queue. */
export const keptFilesChannel = 'kept_files';

/** The network's ids have some 16 digits. */
const maxIdLength = 200;

type Received = {
  tenantId: number;
  id: number;
  numberId: number;
  content: { media_id?: string };
};

/**
 * Queues the files of new inbound messages whose tenants keep files, in the transaction that stores the messages. A
 * message is stored once, however often the network reports it, so its file is queued once.
 */
export async function queueFiles(tx: Db, received: Received[]): Promise<void> {
  const files = received.filter(
    ({ content: { media_id: id } }) => id !== undefined && id.length <= maxIdLength,
  );
  if (files.length === 0) return;
  await tx.query(
    statement(
      'queue-kept-files',
      sql`
        with queued as (
          insert into kept_files (tenant_id, message_id, number_id, network_id, due_at, created_at)
          select files.tenant_id, message_id, number_id, network_id, now(), now()
          from ${rowsOf('files', files, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            message_id: ['bigint', ({ id }) => id],
            number_id: ['bigint', ({ numberId }) => numberId],
            network_id: ['text', ({ content }) => content.media_id!],
          })}
          join tenants on tenants.id = files.tenant_id
          where tenants.keep_files_days > 0
          returning tenant_id
        )
        select pg_notify(${keptFilesChannel}, '') where exists (select from queued)`,
    ),
  );
}
