import sql, { type Sql } from 'sql-template-tag';

/** The condition that a row of `tenant_moves` keeps its tenant from writing in this cell. */
export const holdsTenant = sql`tenant_moves.state <> 'copying'`;

/**
 * The condition that the tenant of such a row is in another cell: here is its old copy, or one that is not used yet.
 */
export const isElsewhere = sql`tenant_moves.state in ('moved', 'arriving', 'arrived')`;

/**
 * The condition that a tenant is on its way to another cell, or that its copy here is not used, so that no work may be
 * claimed for it.
 */
export function isHeld(tenantId: Sql): Sql {
  return sql`
    exists (
      select from tenant_moves
      where tenant_moves.tenant_id = ${tenantId} and ${holdsTenant})`;
}

/**
 * The condition that a tenant is being copied to another cell while it serves here. What is deleted meanwhile makes
 * the move read the keys of all rows while writes are held, so the retention waits, for at most a day.
 */
export function isCopied(tenantId: Sql): Sql {
  return sql`
    exists (
      select from tenant_moves
      where tenant_moves.tenant_id = ${tenantId} and tenant_moves.state = 'copying'
        and tenant_moves.changed_at > now() - interval '1 day')`;
}
