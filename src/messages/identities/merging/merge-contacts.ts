import sql, { type Sql } from 'sql-template-tag';
import { contactIdOf } from '../../../contacts/contact-identity.ts';
import { optionalFieldNames } from '../../../contacts/fields/contact-fields.ts';
import { currentLabel } from '../../../contacts/fields/contact-record.ts';
import { eachColumn } from '../../../contacts/fields/field-columns.ts';
import { metadataOfBoth } from '../../../contacts/fields/metadata.ts';
import type { Db } from '../../../platform/database/database.ts';
import { userIdOf } from '../../../platform/values/phones/recipient.ts';
import type { IdentityLink } from '../../../whatsapp/callbacks/read-identities.ts';

/** The ids of the contact that stays and of the one that is merged into it, if there are such. */
export type ContactPair = { kept?: number; merged?: number };

/** Finds the contacts of two identities. That of the later one stays: it has the phone, or the newer of two. */
export async function findPair(
  tx: Db,
  tenantId: number,
  { earlier, later }: IdentityLink,
): Promise<ContactPair> {
  const { rows } = await tx.query<{ earlier: number | null; later: number | null }>(sql`
    select ${contactIdOf(tenantId, earlier)} as earlier, ${contactIdOf(tenantId, later)} as later`);
  const ids = rows[0]!;
  const kept = ids.later ?? ids.earlier ?? undefined;
  const merged = ids.later && ids.earlier && ids.later !== ids.earlier ? ids.earlier : undefined;
  const locked = [kept, merged].filter((id) => id !== undefined);
  await tx.query(sql`
    select from contacts where tenant_id = ${tenantId} and id = any(${locked}::bigint[])
    order by phone_identity, id for update`);
  return { ...(kept && { kept }), ...(merged && { merged }) };
}

/**
 * Gives the contact both identities, the newer ones of each kind, and what the merged contact knew that it did not.
 *
 * @returns whether the contact changed
 */
export async function mergeContacts(
  tx: Db,
  tenantId: number,
  { earlier, later, username }: IdentityLink & { username: string | null },
  { kept, merged }: ContactPair,
): Promise<boolean> {
  if (kept === undefined) return false;
  const phone = [later, earlier].find((identity) => identity.startsWith('+')) ?? null;
  const userId = userIdOf(later) ?? userIdOf(earlier) ?? null;
  if (merged !== undefined) await takeOver(tx, tenantId, kept, merged);
  const { rowCount } = await tx.query(sql`
    update contacts set
      phone = case when phone_identity = phone_identity(${phone}) then phone
                   else coalesce(${phone}, phone) end,
      user_id = coalesce(${userId}, user_id),
      username = coalesce(${username}, username),
      -- A contact without a name has its identity as its first name.
      firstname = case when firstname = user_id and ${phone}::text is not null then ${phone} else firstname end,
      updated_at = now()
    where tenant_id = ${tenantId} and id = ${kept}
      and (${merged !== undefined}
        or phone_identity is distinct from coalesce(phone_identity(${phone}), phone_identity)
        or user_id is distinct from coalesce(${userId}, user_id)
        or username is distinct from coalesce(${username}, username))`);
  return rowCount === 1;
}

/** A deleted label that the contact still has gives way to that of the merged one. */
function labelOfBoth(kind: 'statuses' | 'sources'): Sql {
  const [kept, merged] = [sql`contacts`, sql`gone`].map((contact) => currentLabel(kind, contact));
  return sql`coalesce(${kept}, ${merged})`;
}

async function takeOver(tx: Db, tenantId: number, kept: number, merged: number): Promise<void> {
  await tx.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select tenant_id, ${kept}, group_id from contact_groups
    where tenant_id = ${tenantId} and contact_id = ${merged}
    on conflict do nothing`);
  await tx.query(sql`
    insert into earlier_conversations (tenant_id, contact_id, person, up_to_id)
    select tenant_id, ${kept}, person, up_to_id from earlier_conversations
    where tenant_id = ${tenantId} and contact_id = ${merged}
    on conflict (tenant_id, contact_id, person) do update set
      up_to_id = greatest(earlier_conversations.up_to_id, excluded.up_to_id)`);
  // The log of earlier merges goes with the contact.
  await tx.query(sql`
    update identity_merges set contact_id = ${kept}
    where tenant_id = ${tenantId} and contact_id = ${merged}`);
  // In this order, because both may not have the same user id.
  const { rows } = await tx.query<{ user_id: string | null; username: string | null }>(sql`
    with gone as (
      delete from contacts where tenant_id = ${tenantId} and id = ${merged} returning *
    ), filled as (
      update contacts set
        ${eachColumn(optionalFieldNames, (_, column) => sql`${column} = coalesce(contacts.${column}, gone.${column})`)},
        status_id = ${labelOfBoth('statuses')},
        source_id = ${labelOfBoth('sources')},
        metadata = ${metadataOfBoth(sql`contacts.metadata`, sql`gone.metadata`)}
      from gone
      where contacts.tenant_id = ${tenantId} and contacts.id = ${kept}
    )
    select user_id, username from gone`);
  const [gone] = rows;
  await tx.query(sql`
    update contacts set
      user_id = coalesce(user_id, ${gone?.user_id ?? null}), username = coalesce(username, ${gone?.username ?? null})
    where tenant_id = ${tenantId} and id = ${kept}`);
}
