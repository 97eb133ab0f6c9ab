import sql from 'sql-template-tag';
import { isMessageGone } from '../../messages/record-of-event.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { EventSelector } from '../../webhooks/schema.ts';

export type LogEntry = {
  position: number;
  id: number;
  created_at: Date;
  event: string;
  /** JSON. */
  data: string;
};

/** A part of a log, as one snapshot of the database has it. */
export type LogPart = {
  /** The log begins after this position. */
  beginsAfter: number;
  /** No event of any tenant has a higher position yet. */
  newestPosition: number;
  entries: LogEntry[];
  /** The position up to which the log was read, in which `entries` are all that match. */
  readTo: number;
  /** Whether that is the end of the log. */
  isEnd: boolean;
};

/** Events that are read for a choice of few among many. The next request continues there. */
const maxScanned = 5_000;
/**
 * A page ends with the event that exceeds this. An event can have hundreds of kilobytes, and the process holds a
 * page as a whole.
 */
const maxBytes = 1024 * 1024;

type LogRow = {
  begins_after: number;
  newest: number;
  scanned: number;
  scanned_to: number | null;
  found: number;
} & ((LogEntry & { is_gone: boolean }) | { position: null });

/**
 * Reads events of a tenant's log: up to `limit`, or fewer if they have more than `maxBytes`. Leaves out events of
 * messages that were deleted. Those of contacts stay, so that a reader misses no creation and no change.
 *
 * @param types event types and families; undefined for all
 * @returns undefined if the tenant has no log
 */
export async function readLog(
  db: Db,
  tenantId: number,
  { after, types, limit }: { after: number; types: EventSelector[] | undefined; limit: number },
): Promise<LogPart | undefined> {
  const scan = types ? Math.max(limit, maxScanned) : limit;
  const { rows } = await db.query<LogRow>(
    statement(
      'read-log',
      sql`
        with log as materialized (
          select begins_after,
                 (select case when is_called then last_value else 0 end from event_positions) as newest
          from event_logs where tenant_id = ${tenantId}
        ), scanned as materialized (
          select position, ${types ?? null}::text[] is null
                   or array[event, split_part(event, '.', 1) || '.*'] && ${types ?? null}::text[] as matches
          from events
          where tenant_id = ${tenantId} and position > greatest(${after}, (select begins_after from log))
          order by position limit ${scan}
        ), page as (
          select position from scanned where matches order by position limit ${limit}
        ), measured as (
          select events.*, sum(octet_length(data)) over (order by position) - octet_length(data) as bytes_before
          from page join events using (position)
          where events.tenant_id = ${tenantId}
        )
        select log.*, (select count(*) from scanned) as scanned,
               (select max(position) from scanned) as scanned_to,
               (select count(*) from page) as found,
               position, id, created_at, event, data,
               event like 'message.%' and ${isMessageGone(tenantId, sql`data`)} as is_gone
        from log
        left join measured on bytes_before < ${maxBytes}
        order by position`,
    ),
  );
  const [first] = rows;
  if (!first) return undefined;
  const read = rows.filter((row) => row.position !== null);
  const isFull = read.length === limit || read.length < first.found;
  return {
    beginsAfter: first.begins_after,
    newestPosition: first.newest,
    entries: read.filter((entry) => !entry.is_gone),
    readTo: (isFull ? read.at(-1)!.position : first.scanned_to) ?? after,
    isEnd: !isFull && first.scanned < scan,
  };
}

/** Finds the position of the end of a tenant's log; undefined if it has none. */
export async function findEnd(db: Db, tenantId: number): Promise<number | undefined> {
  const { rows } = await db.query<{ position: number }>(sql`
    select greatest((select max(position) from events where tenant_id = ${tenantId}), begins_after) as position
    from event_logs where tenant_id = ${tenantId}`);
  return rows[0]?.position;
}

/** Finds the position of the newest event in the logs of some tenants, in the order of the tenants. */
export async function findNewestPositions(
  db: Db,
  tenantIds: number[],
): Promise<{ tenant_id: number; newest: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; newest: number }>(
    statement(
      'find-newest-positions',
      sql`
        select asked.tenant_id, newest.position as newest
        from ${rowsOf('asked', tenantIds, { tenant_id: ['bigint', (id) => id] })}
        cross join lateral (
          select position from events where events.tenant_id = asked.tenant_id
          order by position desc limit 1
        ) as newest`,
    ),
  );
  return rows;
}
