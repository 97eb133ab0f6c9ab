import sql from 'sql-template-tag';
import { contactRecord, groupIdsNow } from '../../contacts/fields/contact-record.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import type { IdentityLink } from '../../whatsapp/callbacks/read-identities.ts';
import { personOf } from '../conversations/person.ts';
import { hasNetworkId } from '../queries.ts';
import { noteNewAliases } from './aliases.ts';
import { withIdentitiesLocked } from './lock-identities.ts';
import { mergeIdentities } from './merging/merge-identities.ts';

/** Two identities of one person, and the username if the callback has it. */
export type AttestedLink = IdentityLink & {
  tenantId: number;
  username: string | null;
  /** The network's id of the message that reports it. */
  messageId?: string;
};

/**
 * Makes identities lead to one conversation and one contact, because the network attests that they are one person.
 * Call this before the messages of the same callback are stored. Repeats change nothing.
 */
export async function linkIdentities(db: Database, links: AttestedLink[]): Promise<void> {
  await mergeLinked(db, await linkNewUserIds(db, links));
}

/** The network sends at most 1,000 updates in a callback. A tenant can sign any body, and each merge is a transaction. */
const maxMerges = 1_000;

/**
 * Makes the identities of each link one person, in a transaction of its own. A merge can take many seconds, and waits for
 * others of the tenant, so no other tenant may wait for this.
 */
export async function mergeLinked(db: Database, links: AttestedLink[]): Promise<void> {
  for (const link of links.slice(0, maxMerges)) {
    await withIdentitiesLocked(db, link.tenantId, (tx) => mergeIdentities(tx, link));
  }
}

export function keyOfLink({ tenantId, earlier, later }: AttestedLink): string {
  return `${tenantId} ${earlier} ${later}`;
}

/**
 * Links user ids that are new to their tenants.
 *
 * @returns the other links that are not stored yet: their people have to be merged
 */
export async function linkNewUserIds(tx: Db, links: AttestedLink[]): Promise<AttestedLink[]> {
  if (links.length === 0) return [];
  const unlinked = await findUnlinked(tx, links);
  const simple = unlinked.filter(({ isSimple }) => isSimple).map(({ link }) => link);
  if (simple.length > 0) await addUserIds(tx, simple);
  return unlinked.filter(({ isSimple }) => !isSimple).map(({ link }) => link);
}

/**
 * Finds the links that are not known yet, in the order of their locks. `isSimple`: nothing is known of the user id,
 * so it only has to be added to what is known of the phone. Nearly all links are so.
 */
async function findUnlinked(
  tx: Db,
  links: AttestedLink[],
): Promise<{ link: AttestedLink; isSimple: boolean }[]> {
  const { rows } = await tx.query<{ position: number; is_simple: boolean }>(
    statement(
      'find-unlinked-identities',
      sql`
        with link as materialized (
          select link.*, starts_with(earlier, 'user:') and starts_with(later, '+') as is_pair,
                 ${personOf(sql`link.tenant_id`, sql`link.earlier`)} as earlier_person,
                 ${personOf(sql`link.tenant_id`, sql`link.later`)} as later_person
          from ${rowsOf('link', links, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            earlier: ['text', ({ earlier }) => earlier],
            later: ['text', ({ later }) => later],
            message_id: ['text', ({ messageId }) => messageId ?? null],
            position: ['int', (_, index) => index],
          })}
        )
        select distinct on (tenant_id, earlier, later) position,
               is_pair and earlier_person in (earlier, later_person)
               and not exists (
                 select from conversations as known
                 where known.tenant_id = link.tenant_id and known.person = link.earlier)
               and not exists (
                 select from contacts as known
                 where known.tenant_id = link.tenant_id and known.user_id = substr(link.earlier, 6)
               ) as is_simple
        from link
        where (earlier_person <> later_person
          -- Somebody else may have the phone by now if the network repeats that its owner changed it.
          and not (starts_with(earlier, '+') and starts_with(later, '+') and exists (
            select from message_states as state
            where state.tenant_id = link.tenant_id and ${hasNetworkId(sql`link.message_id`)}))
          -- A contact that was created after the link.
          or is_pair and exists (
            select from contacts as known
            where known.tenant_id = link.tenant_id and known.user_id is null
              and known.phone_identity = phone_identity(link.later)))
          -- A late callback from before the person gave up the phone. A phone that changes gets a new user id.
          and not (is_pair and exists (
            select from former_phones as former
            where former.tenant_id = link.tenant_id and former.person = link.earlier_person
              and former.phone = phone_identity(link.later)))
        order by tenant_id, earlier, later`,
    ),
  );
  return rows.map((row) => ({ link: links[row.position]!, isSimple: row.is_simple }));
}

/** Adds user ids to the conversations and contacts of their phones. */
async function addUserIds(tx: Db, pairs: AttestedLink[]): Promise<void> {
  await tx.query(
    statement(
      'add-user-ids',
      sql`
        with pair as materialized (
          -- A phone with two new user ids in one batch gets the last one.
          select distinct on (tenant_id, phone_identity(phone)) *
          from ${rowsOf('pair', pairs, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            user_id: ['text', ({ earlier }) => earlier.slice('user:'.length)],
            phone: ['text', ({ later }) => later],
            username: ['text', ({ username }) => username],
            position: ['int', (_, index) => index],
          })}
          order by tenant_id, phone_identity(phone), position desc
        ), alias as (
          insert into conversation_aliases (tenant_id, identity, person)
          select tenant_id, 'user:' || user_id, ${personOf(sql`pair.tenant_id`, sql`pair.phone`)}
          from pair order by tenant_id, user_id
          on conflict do nothing
          returning tenant_id, identity
        ), ${noteNewAliases(sql`alias`)}, locked as materialized (
          select contacts.tenant_id, contacts.id, pair.user_id, pair.username
          from pair
          join contacts on contacts.tenant_id = pair.tenant_id
            and contacts.phone_identity = phone_identity(pair.phone)
          order by contacts.tenant_id, contacts.phone_identity
          for no key update of contacts
        ), contact as (
          update contacts as contact set
            user_id = locked.user_id, username = coalesce(locked.username, contact.username),
            updated_at = now()
          from locked
          where contact.tenant_id = locked.tenant_id and contact.id = locked.id
            and contact.user_id is distinct from locked.user_id
          returning contact.*
        ), event as (
          select tenant_id, 'contact.updated' as type,
                 ${contactRecord(sql`to_json(${groupIdsNow})`)} as data
          from contact
        ), ${recordedEvents}
        select from contact`,
    ),
  );
}
