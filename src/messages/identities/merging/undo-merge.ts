import sql from 'sql-template-tag';
import { recordAudit } from '../../../audit/record-audit.ts';
import { findContact } from '../../../contacts/find-contact.ts';
import type { ContactRecord } from '../../../contacts/schema.ts';
import type { Database, Db } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors/api-error.ts';
import { personOf } from '../../conversations/person.ts';
import { notErased } from '../../queries.ts';
import { isKindOfUser } from '../../receiving/find-user-message.ts';
import { removeAlias } from '../aliases.ts';
import { withIdentitiesLocked } from '../lock-identities.ts';
import {
  type ConversationRow,
  isWindowOpener,
  lockConversations,
  moveMessages,
} from './move-messages.ts';
import { mergedAgain, refuseTaken, separateContacts } from './separate-contacts.ts';

type MergeRow = {
  contact_before: ContactRecord | null;
  merged_contact: ContactRecord | null;
  person: string;
  merged_person: string | null;
  merged_conversation: ConversationRow | null;
  moved_ids: number[];
};

/**
 * Undoes a merge: the contact that was merged comes back with its id, and its messages move back. The other contact
 * gets the fields and groups that it had before. The merge leaves the log, with its copies of both contacts.
 *
 * @throws ApiError 404 if there is no such merge, or it was undone before; 422 if the contact or the conversation was
 *   merged again, or another contact has a phone, user id or external id of one of the two by now
 */
export async function undoMerge(db: Database, tenantId: number, mergeId: number): Promise<void> {
  await withIdentitiesLocked(db, tenantId, async (tx) => {
    const { rows } = await tx.query<MergeRow>(sql`
      delete from identity_merges
      where tenant_id = ${tenantId} and id = ${mergeId} and undone_at is null
      returning contact_before, merged_contact, person, merged_person, merged_conversation, moved_ids`);
    const [merge] = rows;
    if (!merge) throw notFound();
    const { contact_before: before, merged_contact: merged } = merge;
    if (before && merged) {
      if (!(await findContact(tx, tenantId, before.id))) throw mergedAgain();
      await refuseTaken(tx, tenantId, before, merged);
      await separateContacts(tx, tenantId, before, merged);
    }
    if (merge.merged_person !== null) await separateConversations(tx, tenantId, merge);
    const contact = before ?? merged;
    await recordAudit(tx, tenantId, {
      action: 'contacts.merge_undone',
      subject: contact ? { id: contact.id, name: null } : undefined,
    });
  });
}

async function separateConversations(
  tx: Db,
  tenantId: number,
  { person, merged_person, merged_conversation: was, moved_ids: only }: MergeRow,
): Promise<void> {
  const merged = merged_person!;
  const { rows } = await tx.query<{ person: string }>(
    sql`select ${personOf(tenantId, person)} as person`,
  );
  if (rows[0]!.person !== person) throw mergedAgain();
  await removeAlias(tx, tenantId, merged);
  await lockConversations(tx, tenantId, [person, merged]);
  const way = { from: person, to: merged, only };
  await moveMessages(tx, tenantId, way, { ...was!, unread: 0 });
  await recount(tx, tenantId, person);
}

/** Sets what a conversation knows of its messages by those that it has. */
async function recount(tx: Db, tenantId: number, person: string): Promise<void> {
  await tx.query(sql`
    update conversations set
      last_message_id = latest.id, number_id = coalesce(latest.number_id, conversations.number_id),
      first_inbound_id = latest.first_inbound_id, phone = null
    from (
      select max(id) as id, (array_agg(number_id order by id desc))[1] as number_id,
             min(id) filter (where direction = 'in' and ${isKindOfUser}) as first_inbound_id
      from messages
      where messages.tenant_id = ${tenantId} and messages.person = ${person} and ${notErased}
    ) as latest
    where conversations.tenant_id = ${tenantId} and conversations.person = ${person}`);
  await tx.query(sql`
    delete from conversation_windows where tenant_id = ${tenantId} and person = ${person}`);
  await tx.query(sql`
    insert into conversation_windows (tenant_id, person, number_id, last_inbound_at)
    select tenant_id, person, number_id, max(created_at) from messages
    where tenant_id = ${tenantId} and person = ${person} and ${isWindowOpener} and ${notErased}
    group by tenant_id, person, number_id`);
}
