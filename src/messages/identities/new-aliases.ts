import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { lowestId } from '../conversations/person.ts';

export type NewAlias = { tenant_id: number; identity: string; seen_at: Date };

/** Notes when this process saw new aliases first. They are committed by then. */
export async function markSeenAliases(db: Db): Promise<void> {
  await db.query(sql`
    update new_aliases set seen_at = date_trunc('milliseconds', clock_timestamp()) + interval '1 ms'
    where seen_at is null and not ${isHeld(sql`new_aliases.tenant_id`)}`);
}

/**
 * Finds new aliases that every open transaction sees, because it began after they were seen.
 *
 * @param without tenants to leave out
 */
export async function findSettledAliases(
  db: Db,
  limit: number,
  without: number[] = [],
): Promise<NewAlias[]> {
  const { rows } = await db.query<NewAlias>(sql`
    select tenant_id, identity, seen_at from new_aliases
    where seen_at < (
      select coalesce(min(xact_start), 'infinity') from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid())
      and not ${isHeld(sql`new_aliases.tenant_id`)} and tenant_id <> all(${without}::bigint[])
    order by tenant_id, identity limit ${limit}`);
  return rows;
}

/**
 * Removes the correct aliases from the list, and returns the others: messages are stored under the identity, or the
 * alias leads to an identity that has become an alias itself, or from one phone to another one.
 */
export async function forgetGoodAliases(db: Db, settled: NewAlias[]): Promise<NewAlias[]> {
  const { rows } = await db.query<NewAlias>(sql`
    with settled as materialized (
      select settled.*, alias.person is not null and (
        exists (
          select from messages
          where messages.tenant_id = settled.tenant_id and messages.person = settled.identity
            and messages.id > coalesce((
              select removed_to from conversations
              where conversations.tenant_id = settled.tenant_id
                and conversations.person = settled.identity), ${lowestId}))
        or exists (
          select from conversation_aliases as next
          where next.tenant_id = settled.tenant_id and next.identity = alias.person)
        or starts_with(alias.identity, '+') and starts_with(alias.person, '+')) as is_wrong
      from ${rowsOf('settled', settled, {
        tenant_id: ['bigint', (each) => each.tenant_id],
        identity: ['text', ({ identity }) => identity],
        seen_at: ['timestamptz', (each) => each.seen_at.toISOString()],
      })}
      left join conversation_aliases as alias
        on alias.tenant_id = settled.tenant_id and alias.identity = settled.identity
    ), forgotten as (
      delete from new_aliases using settled
      where new_aliases.tenant_id = settled.tenant_id and new_aliases.identity = settled.identity
        -- It was not added again meanwhile.
        and new_aliases.seen_at = settled.seen_at and not is_wrong
    )
    select tenant_id, identity, seen_at from settled where is_wrong`);
  return rows;
}
