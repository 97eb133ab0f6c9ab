import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { IdentityLink } from '../../whatsapp/read-identities.ts';
import { personOf } from '../conversations/person.ts';
import { addAliases } from './aliases.ts';
import { type ConversationRow, lockConversations, moveConversation } from './move-messages.ts';

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
  const { rows } = await tx.query<{ earlier: string; later: string }>(sql`
    select ${personOf(tenantId, earlier)} as earlier, ${personOf(tenantId, later)} as later`);
  const [first, second] = [rows[0]!.earlier, rows[0]!.later];
  if (first === second) {
    await show(tx, tenantId, first, later);
    return { person: first, movedIds: [] };
  }
  const known = await lockConversations(tx, tenantId, [first, second]);
  const isSecondKept = known.has(second)
    ? !known.has(first) || (isUser(first) && !isUser(second))
    : !known.has(first) && !isUser(second);
  const [kept, other] = isSecondKept ? [second, first] : [first, second];
  await addAliases(tx, tenantId, kept, [other, earlier, later]);
  const merged = known.get(other);
  const movedIds = await moveConversation(tx, tenantId, { from: other, to: kept }, merged);
  await show(tx, tenantId, kept, later);
  return { person: kept, ...(merged && { merged }), movedIds };
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
