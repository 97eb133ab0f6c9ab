import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { AuditAction, AuditKind } from './actions.ts';
import type { Actor } from './actor.ts';
import type { AuditChange } from './record-audit.ts';

export type EntryRow = {
  id: number;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string;
  actor_name: string | null;
  actor_email: string | null;
  action: AuditAction;
  subject_id: string | null;
  subject_name: string | null;
  changes: AuditChange[];
};

export type ActorRow = Pick<EntryRow, 'actor_kind' | 'actor_id' | 'actor_name' | 'actor_email'>;

export type EntryFilter = {
  since?: Date | undefined;
  until?: Date | undefined;
  kind?: AuditKind | undefined;
  action?: AuditAction | undefined;
  actor?: { kind: Actor['kind']; id: string } | undefined;
};

/** The place of an entry in the list. */
export type EntryPosition = { at: string; id: number };

/** Lists entries of a tenant, the newest first, from the one after `before` on. */
export async function listEntries(
  db: Db,
  tenantId: number,
  { since, until, kind, action, actor }: EntryFilter,
  { before, limit }: { before?: EntryPosition | undefined; limit: number },
): Promise<EntryRow[]> {
  const conditions: Sql[] = [
    sql`tenant_id = ${tenantId}`,
    since ? sql`at >= ${since}` : empty,
    until ? sql`at < ${until}` : empty,
    kind ? sql`split_part(action, '.', 1) = ${kind}` : empty,
    action ? sql`action = ${action}` : empty,
    actor ? sql`actor_kind = ${actor.kind} and actor_id = ${actor.id}` : empty,
    before ? sql`(at, id) < (${before.at}::timestamptz, ${before.id}::bigint)` : empty,
  ].filter((condition) => condition !== empty);
  const { rows } = await db.query<EntryRow>(sql`
    select id, at, actor_kind, actor_id, actor_name, actor_email, action, subject_id, subject_name,
           changes
    from audit_entries where ${join(conditions, ' and ')}
    order by at desc, id desc limit ${limit}`);
  return rows;
}

/** Lists who has entries in the log of a tenant, by the name of the latest. Costs one index entry for each. */
export async function listActors(db: Db, tenantId: number): Promise<ActorRow[]> {
  const latest = (after: Sql) => sql`
    (select actor_kind, actor_id, actor_name, actor_email from audit_entries
     where tenant_id = ${tenantId} ${after}
     order by actor_kind desc, actor_id desc, at desc, id desc limit 1)`;
  const { rows } = await db.query<ActorRow>(sql`
    with recursive actors as (
      ${latest(empty)}
      union all
      select next.* from actors cross join lateral
        ${latest(sql`and (actor_kind, actor_id) < (actors.actor_kind, actors.actor_id)`)} as next
    )
    select * from actors order by actor_kind, lower(actor_name), actor_id`);
  return rows;
}
