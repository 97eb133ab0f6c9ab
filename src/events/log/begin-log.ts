import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Ability } from '../../tenants/tokens/abilities.ts';

const ability: Ability = 'events:read';

/** A condition on `tokens`: whether the token has the ability to read events. */
export const hasEventAbility: Sql = sql`${ability}::text = any(tokens.abilities)`;

/** A condition on `tokens`: whether the token can read events. */
const readsEvents: Sql = sql`(
  ${hasEventAbility} and tokens.revoked_at is null
  and (tokens.expires_at is null or tokens.expires_at > now()))`;

/** An insert of logs that begin now. Their first position is new, so cursors from before have expired. */
const beginLogs = (tenants: Sql): Sql => sql`
  insert into event_logs (tenant_id, begins_after)
  select tenant_id, nextval('event_positions') from (${tenants}) as reading
  on conflict (tenant_id) do nothing`;

/**
 * A CTE that begins the log of a tenant with its first token that may read it. Events from before are not in the log.
 *
 * @param token a CTE with the tenant_id and the abilities of a new token
 */
export function begunLog(token: Sql): Sql {
  return sql`
    begun_log as (
      ${beginLogs(sql`select tenant_id from ${token} as token where ${ability}::text = any(abilities)`)}
    )`;
}

/** Begins the logs of tenants whose log was ended while a token that may read it was being created. */
export async function beginMissingLogs(db: Db): Promise<void> {
  await db.query(
    beginLogs(sql`
      select distinct tenant_id from tokens
      where ${readsEvents}
        and not exists (select from event_logs where event_logs.tenant_id = tokens.tenant_id)
        -- The log of a tenant that moves is copied.
        and not exists (select from tenant_moves where tenant_moves.tenant_id = tokens.tenant_id)`),
  );
}
