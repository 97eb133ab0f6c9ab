import { isDeepStrictEqual } from 'node:util';
import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { AuditAction } from './actions.ts';
import { type Actor, currentActor } from './actor.ts';

/** A field that changed, with its values if they may be shown. */
export type AuditChange = {
  field: string;
  before?: unknown;
  after?: unknown;
  /** The name of the record whose id is `after`, as it was then. */
  after_name?: string | undefined;
};

type Entry = {
  action: AuditAction;
  /** Undefined if the change concerns the tenant or its contacts as a whole. */
  subject?: { id?: string | number; name: string | null } | undefined;
  changes?: AuditChange[];
  /** By default the caller of the route or the command. */
  actor?: Actor;
};

/**
 * Adds an entry to the audit log of a tenant.
 *
 * @param tx the transaction of the change, so that neither exists without the other
 */
export async function recordAudit(
  tx: Db,
  tenantId: number,
  { action, subject, changes = [], actor = currentActor() }: Entry,
): Promise<void> {
  const id = 'id' in actor ? actor.id : '';
  await tx.query(sql`
    insert into audit_entries (tenant_id, at, actor_kind, actor_id, actor_name, actor_email, action,
                               subject_id, subject_name, changes)
    select ${tenantId}, now(), ${actor.kind}, ${id}, actor.name, actor.email, ${action},
           ${subject?.id === undefined ? null : String(subject.id)}, ${subject?.name ?? null},
           ${JSON.stringify(changes)}
    from (select) as entry left join (${actorRow(tenantId, actor)}) as actor on true`);
}

/** The name of an actor as it is now. */
function actorRow(tenantId: number, actor: Actor): Sql {
  if (actor.kind === 'member')
    return sql`select "name" as name, "email" as email from auth."user" where "id" = ${actor.id}`;
  if (actor.kind === 'token')
    return sql`
      select name, null as email from tokens where tenant_id = ${tenantId} and id = ${Number(actor.id)}`;
  return sql`select null as name, null as email`;
}

/**
 * Adds an entry about a change of fields, unless they all stay the same.
 *
 * @param shown the fields whose values are in the entry. Never name one that can have a secret or data of a contact
 */
export async function recordChange<Fields extends object>(
  tx: Db,
  tenantId: number,
  {
    before,
    after,
    shown,
    ...entry
  }: Omit<Entry, 'changes'> & {
    before: Fields;
    after: Partial<Fields>;
    shown: readonly (keyof Fields)[];
  },
): Promise<void> {
  const changes: AuditChange[] = [];
  for (const field of Object.keys(after) as (keyof Fields & string)[]) {
    if (after[field] === undefined || isDeepStrictEqual(before[field], after[field])) continue;
    const values = shown.includes(field) ? { before: before[field], after: after[field] } : {};
    changes.push({ field, ...values });
  }
  if (changes.length > 0) await recordAudit(tx, tenantId, { ...entry, changes });
}
