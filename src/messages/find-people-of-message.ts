import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { hasNetworkId } from './queries.ts';

/**
 * Finds the keys of the conversation of a message: the one that it has, and the one that it had before a merge.
 *
 * @param networkId the network's id of the message
 * @returns undefined if the message is not known
 */
export async function findPeopleOfMessage(
  db: Db,
  tenantId: number,
  networkId: string,
): Promise<{ people: string[]; createdAt: Date } | undefined> {
  const { rows } = await db.query<{ people: string[]; created_at: Date }>(sql`
    select array[messages.person, coalesce(phone_identity(messages.phone), messages.person)] as people,
           messages.created_at
    from message_states as state
    join messages on messages.tenant_id = ${tenantId} and messages.id = state.message_id
    where state.tenant_id = ${tenantId} and ${hasNetworkId(sql`${networkId}`)}`);
  const [row] = rows;
  return row && { people: row.people, createdAt: row.created_at };
}
