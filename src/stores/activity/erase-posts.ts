import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';

/** Deletes up to `limit` settled posts about buyers whose contact was deleted, and returns how many. */
export async function deletePosts(
  tx: Db,
  contacts: { tenant_id: number; contact_id: number }[],
  limit: number,
): Promise<number> {
  const { rowCount } = await tx.query(sql`
    with doomed as materialized (
      select post.*
      from ${rowsOf('gone', contacts, {
        tenant_id: ['bigint', (each) => each.tenant_id],
        contact_id: ['bigint', (each) => each.contact_id],
      })}
      cross join lateral (
        select tenant_id, store_id, id from store_events as event
        where event.tenant_id = gone.tenant_id and event.contact_id = gone.contact_id and due_at is null
        limit ${limit}
      ) as post
      limit ${limit}
    )
    delete from store_events using doomed
    where store_events.tenant_id = doomed.tenant_id and store_events.store_id = doomed.store_id
      and store_events.id = doomed.id`);
  return rowCount ?? 0;
}

/**
 * Deletes what stores reported about the times of buyers by their phone, unless a contact has the phone by now. A store
 * may write a phone in another form than the canonical one.
 */
export async function deleteBuyers(
  tx: Db,
  identities: { tenant_id: number; identity: string }[],
): Promise<void> {
  await tx.query(sql`
    with buyer as materialized (
      select distinct known.tenant_id, form.phone
      from ${rowsOf('known', identities, {
        tenant_id: ['bigint', (each) => each.tenant_id],
        identity: ['text', ({ identity }) => identity],
      })}
      cross join unnest(array[
        identity, '+549' || substr(identity, 4), '+521' || substr(identity, 4),
        left(identity, 5) || '9' || substr(identity, 6)]) as form (phone)
      where starts_with(identity, '+') and phone_identity(form.phone) = identity and not exists (
        select from contacts
        where contacts.tenant_id = known.tenant_id and contacts.phone_identity = identity)
    )
    delete from store_resources as resource
    using buyer join stores on stores.tenant_id = buyer.tenant_id
    where resource.tenant_id = buyer.tenant_id and resource.store_id = stores.id
      and resource.kind = 'buyer' and resource.resource_id = buyer.phone`);
}
