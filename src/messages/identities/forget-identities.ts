import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import {
  type ErasedIdentity,
  type Erasure,
  listedErasures,
  listedIdentities,
} from '../erasing/erasures.ts';

/** Callbacks can name a phone that a person gave up, weeks after the change. */
const formerPhoneDays = 90;

/**
 * Deletes the identities of people whose messages are gone, unless a contact has one of them. Phones that they gave up
 * stay with their user ids, so that a late callback does not give these to the next owner of a phone.
 *
 * A message that is being stored at this moment may have followed an alias that is deleted here. It then begins the
 * conversation of that key, and only a callback that names both identities joins it with a later one.
 *
 * @param tx has locked the identities of their tenants
 * @param identities of these people, and maybe of others
 */
export async function forgetIdentities(
  tx: Db,
  people: Erasure[],
  identities: ErasedIdentity[],
): Promise<void> {
  await tx.query(sql`
    with known as materialized (
      select * from ${listedIdentities(identities)}
    ), kept as materialized (
      select tenant_id, person from known
      join contacts using (tenant_id)
      where not is_former and contacts.phone_identity = known.identity
      union all
      select tenant_id, person from known
      join contacts using (tenant_id)
      where starts_with(known.identity, 'user:') and contacts.user_id = substr(known.identity, 6)
      union all
      select tenant_id, person from known join conversations using (tenant_id, person)
    ), forgotten as materialized (
      select tenant_id, person from ${listedErasures(people)}
      except
      select tenant_id, person from kept
    ), lost as materialized (
      select known.* from known join forgotten using (tenant_id, person)
    ), unlinked as (
      delete from conversation_aliases as alias using lost
      where alias.tenant_id = lost.tenant_id and alias.identity = lost.identity and alias.person = lost.person
      returning alias.tenant_id, alias.identity
    ), unchecked as (
      delete from new_aliases using unlinked
      where new_aliases.tenant_id = unlinked.tenant_id and new_aliases.identity = unlinked.identity
    ), unmerged as (
      delete from identity_merges as merge using lost
      where merge.tenant_id = lost.tenant_id and merge.person = lost.identity and not is_former
    ), uncounted as (
      delete from conversation_sequences as sequence using lost
      where sequence.tenant_id = lost.tenant_id and sequence.person = lost.identity and not exists (
        -- Of the next owner of a phone.
        select from conversations
        where conversations.tenant_id = lost.tenant_id and conversations.person = lost.identity)
    ), separated as (
      delete from former_phones as former using forgotten
      where former.tenant_id = forgotten.tenant_id and former.person = forgotten.person
        and not starts_with(former.person, 'user:')
      returning former.*
    )
    insert into former_phones (tenant_id, person, phone, changed_at)
    select separated.tenant_id, lost.identity, phone, changed_at
    from separated
    join lost using (tenant_id, person)
    where starts_with(lost.identity, 'user:')
    on conflict do nothing`);
}

/** Deletes up to `limit` phones that were given up long ago. Returns how many. */
export async function forgetFormerPhones(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from former_phones where ctid = any(array(
      select ctid from former_phones
      where changed_at < now() - ${formerPhoneDays} * interval '1 day'
      order by changed_at limit ${limit}))`);
  return rowCount ?? 0;
}
