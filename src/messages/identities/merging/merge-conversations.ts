import sql from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { isPhone } from '../../../platform/values/phones/recipient.ts';
import type { IdentityLink } from '../../../whatsapp/callbacks/read-identities.ts';
import { personOf } from '../../conversations/person.ts';
import { addAliases, changeFormerPhone, removeAlias } from '../aliases.ts';
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
 *
 * A phone that its owner changed leads nowhere, because somebody else may get it: the conversation has the later
 * phone, and late callbacks that name the old one with a user id of its owner are ignored.
 */
export async function mergeConversations(
  tx: Db,
  tenantId: number,
  { earlier, later }: IdentityLink,
): Promise<MergedConversation> {
  const isGivenUp = isPhone(earlier) && isPhone(later);
  const { rows } = await tx.query<PeopleOfLink>(sql`
    select ${personOf(tenantId, earlier)} as first, ${personOf(tenantId, later)} as second,
           phone_identity(${earlier}) as earlier_identity,
           phone_identity(${later}) as later_identity`);
  const { first, second, earlier_identity: from, later_identity: to } = rows[0]!;
  const known = await lockConversations(tx, tenantId, [first, second, to]);
  const [kept, other] =
    isGivenUp && isPhone(first)
      ? [isPhone(second) ? to : second, first]
      : chooseKept(known, first, second);
  if (kept !== other) {
    const identities = isGivenUp ? [to, ...(isPhone(other) ? [] : [other])] : [other, from, to];
    await addAliases(tx, tenantId, { person: kept, other }, identities);
  }
  if (isGivenUp) {
    await removeAlias(tx, tenantId, from);
    await changeFormerPhone(tx, tenantId, kept, { from, to });
  }
  const row = kept === other ? undefined : known.get(other);
  const movedIds = row ? await moveConversation(tx, tenantId, { from: other, to: kept }, row) : [];
  await show(tx, tenantId, kept, later);
  return { person: kept, ...(row && known.has(kept) && { merged: row }), movedIds };
}

/** The conversations of two identities, and the identities in their canonical form. */
type PeopleOfLink = {
  first: string;
  second: string;
  earlier_identity: string;
  later_identity: string;
};

/** Chooses the conversation that is kept, and returns it with the other one. */
function chooseKept(known: Map<string, ConversationRow>, first: string, second: string) {
  const isSecondKept = known.has(second)
    ? !known.has(first) || (!isPhone(first) && isPhone(second))
    : !known.has(first) && isPhone(second);
  return isSecondKept ? ([second, first] as const) : ([first, second] as const);
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
