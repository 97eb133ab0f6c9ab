import sql from 'sql-template-tag';
import { findContact } from '../../../contacts/find-contact.ts';
import type { Db } from '../../../platform/database/database.ts';
import { isPhone } from '../../../platform/values/phones/recipient.ts';
import { recordEvents } from '../../../webhooks/record-events.ts';
import type { IdentityLink } from '../../../whatsapp/callbacks/read-identities.ts';
import { keepEarlierConversation } from '../../conversations/keep-earlier-conversation.ts';
import { findPair, mergeContacts } from './merge-contacts.ts';
import { mergeConversations } from './merge-conversations.ts';

/**
 * Makes two identities one person, and logs what became one, so that it can be undone.
 *
 * @param tx has locked the identities of the tenant
 */
export async function mergeIdentities(
  tx: Db,
  { tenantId, ...link }: IdentityLink & { tenantId: number; username: string | null },
): Promise<void> {
  const contacts = await findPair(tx, tenantId, link);
  const thread = await mergeConversations(tx, tenantId, link);
  const before = contacts.kept && (await findContact(tx, tenantId, contacts.kept));
  const merged = contacts.merged && (await findContact(tx, tenantId, contacts.merged));
  const moved = contacts.merged ?? contacts.kept;
  if (moved !== undefined && isPhone(link.earlier) && isPhone(link.later)) {
    await keepEarlierConversation(tx, tenantId, moved, link.later);
  }
  const isChanged = await mergeContacts(tx, tenantId, link, contacts);
  if (merged) await recordEvents(tx, tenantId, [{ type: 'contact.deleted', data: merged }]);
  if (isChanged) {
    const data = (await findContact(tx, tenantId, contacts.kept!))!;
    await recordEvents(tx, tenantId, [{ type: 'contact.updated', data }]);
  }
  if (!merged && !thread.merged) return;
  await tx.query(sql`
    insert into identity_merges (
      tenant_id, contact_id, contact_before, merged_contact, earlier_identity, identity, person, merged_person,
      merged_conversation, moved_ids)
    values (
      ${tenantId}, ${contacts.kept ?? null}, ${before ? JSON.stringify(before) : null}::jsonb,
      ${merged ? JSON.stringify(merged) : null}::jsonb, ${link.earlier}, ${link.later}, ${thread.person},
      ${thread.merged?.person ?? null}, ${thread.merged ? JSON.stringify(thread.merged) : null}::jsonb,
      ${thread.movedIds}::bigint[])`);
}
