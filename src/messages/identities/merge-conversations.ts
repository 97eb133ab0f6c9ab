import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { IdentityLink } from '../../whatsapp/read-identities.ts';
import { lowestId, personOf } from '../conversations/person.ts';

/** A row of `conversations` as JSON. */
export type ConversationRow = {
  person: string;
  number_id: number;
  last_message_id: number | null;
  first_inbound_id: number | null;
  removed_to: number | null;
  unread: number;
  is_open: boolean;
  phone: string | null;
  assignee: string | null;
};

export type MergedConversation = {
  /** The key of the conversation to which both identities lead now. */
  person: string;
  /** The conversation that was merged into it, as it was. */
  merged?: ConversationRow;
  movedIds: number[];
};

/**
 * Makes both identities lead to one conversation. If only one of them has one, the other becomes its alias.
 * Otherwise the messages of one move to the other: those of a user id to a phone, or of the later to the earlier one.
 */
export async function mergeConversations(
  tx: Db,
  tenantId: number,
  { earlier, later }: IdentityLink,
): Promise<MergedConversation> {
  const { rows } = await tx.query<{ person: string; row: ConversationRow | null; of: string }>(sql`
    select asked.person, asked.of, to_json(conversations) as row
    from (values
      ('earlier', ${personOf(tenantId, earlier)}), ('later', ${personOf(tenantId, later)})
    ) as asked (of, person)
    left join conversations on tenant_id = ${tenantId} and conversations.person = asked.person
    order by asked.of`);
  const [first, second] = [rows[0]!, rows[1]!];
  if (first.person === second.person) {
    await show(tx, tenantId, first.person, later);
    return { person: first.person, movedIds: [] };
  }
  const laterIsKept = second.row && (!first.row || isUser(first.person)) && !isUser(second.person);
  const [kept, other] =
    laterIsKept || (second.row && !first.row) || (!first.row && !isUser(second.person))
      ? [second, first]
      : [first, second];
  // Whatever led to the other conversation leads to this one.
  await tx.query(sql`
    update conversation_aliases set person = ${kept.person}
    where tenant_id = ${tenantId} and person = ${other.person}`);
  await tx.query(sql`
    insert into conversation_aliases (tenant_id, identity, person)
    select distinct on (identity) ${tenantId}::bigint, identity, ${kept.person}
    from (values (${other.person}), (phone_identity(${earlier})), (phone_identity(${later}))) as known (identity)
    where identity <> ${kept.person}
    on conflict (tenant_id, identity) do update set person = excluded.person`);
  const movedIds = other.row ? await moveMessages(tx, tenantId, kept.person, other.person) : [];
  await show(tx, tenantId, kept.person, later);
  return {
    person: kept.person,
    ...(other.row && { merged: other.row }),
    movedIds,
  };
}

function isUser(person: string): boolean {
  return person.startsWith('user:');
}

/** The later identity is the one that is shown and answered. */
async function show(tx: Db, tenantId: number, person: string, identity: string): Promise<void> {
  await tx.query(sql`
    update conversations set phone = nullif(${identity}, person)
    where tenant_id = ${tenantId} and person = ${person}
      and phone is distinct from nullif(${identity}, person)
      -- A known phone stays if only the user id changes.
      and not (starts_with(${identity}, 'user:')
        and (starts_with(person, '+') or starts_with(phone, '+')) is true)`);
}

async function moveMessages(
  tx: Db,
  tenantId: number,
  kept: string,
  merged: string,
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(sql`
    update messages set person = ${kept}, phone = nullif(coalesce(phone, ${merged}), ${kept})
    where tenant_id = ${tenantId} and person = ${merged}
      and id > coalesce((
        select removed_to from conversations
        where tenant_id = ${tenantId} and conversations.person = ${merged}), 0)
    returning id`);
  await tx.query(sql`
    update conversations as kept set
      number_id = case when other.last_message_id > coalesce(kept.last_message_id, ${lowestId})
        then other.number_id else kept.number_id end,
      last_message_id = greatest(kept.last_message_id, other.last_message_id),
      first_inbound_id = least(kept.first_inbound_id, other.first_inbound_id),
      unread = kept.unread + other.unread,
      is_open = kept.is_open or other.is_open,
      assignee = coalesce(kept.assignee, other.assignee)
    from conversations as other
    where kept.tenant_id = ${tenantId} and kept.person = ${kept}
      and other.tenant_id = ${tenantId} and other.person = ${merged}`);
  await tx.query(sql`
    insert into conversation_windows as known (tenant_id, person, number_id, last_inbound_at)
    select tenant_id, ${kept}, number_id, last_inbound_at from conversation_windows
    where tenant_id = ${tenantId} and person = ${merged}
    on conflict (tenant_id, person, number_id) do update set
      last_inbound_at = greatest(known.last_inbound_at, excluded.last_inbound_at)`);
  // With messages that were deleted with a contact, the row stays until a worker has deleted them.
  await tx.query(sql`
    delete from conversations
    where tenant_id = ${tenantId} and person = ${merged} and removed_to is null`);
  await tx.query(sql`
    update conversations set
      last_message_id = null, first_inbound_id = null, unread = 0, is_open = false, assignee = null
    where tenant_id = ${tenantId} and person = ${merged}`);
  return rows.map(({ id }) => id);
}
