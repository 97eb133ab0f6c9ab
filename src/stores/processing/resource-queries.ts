import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { ResourceKind } from '../platforms/reading.ts';
import type { ClaimedEvent } from './claim-events.ts';

/** The latest known state of a resource of a store. */
export type ResourceState = {
  kind: ResourceKind | 'buyer';
  id: string;
  changedAt: Date;
  /** The event reports the creation of the resource, which never follows its deletion. */
  created: boolean;
  deleted: boolean;
  /** Stores nothing if no state of the resource is stored. */
  onlyIfKnown?: boolean;
};

/**
 * Stores the state of a resource unless a newer one is stored, and locks the resource until the transaction ends.
 *
 * A deletion has no time of the store, only that of its arrival, and the store's clock may be ahead of ours. So a
 * deletion counts as newer than every stored state. A later event with a newer time means a restored order.
 *
 * @returns `isNewest`: the state was stored; `isDeleted`: it was not, because the resource is deleted
 */
export async function advanceResource(
  tx: Db,
  { tenant_id, store_id }: { tenant_id: number; store_id: number },
  { kind, id, changedAt, created, deleted, onlyIfKnown = false }: ResourceState,
): Promise<{ isNewest: boolean; isDeleted: boolean }> {
  const { rows } = await tx.query<{ is_newest: boolean; is_deleted: boolean }>(
    statement(
      'advance-store-resource',
      sql`
        with advanced as (
          insert into store_resources as stored (tenant_id, store_id, kind, resource_id, changed_at,
                                               deleted)
          select ${tenant_id}::bigint, ${store_id}::bigint, ${kind}, ${id},
                 ${changedAt.toISOString()}::timestamptz, ${deleted}::boolean
          where not ${onlyIfKnown}::boolean or exists (
            select from store_resources
            where tenant_id = ${tenant_id} and store_id = ${store_id}
              and kind = ${kind} and resource_id = ${id}
          )
          on conflict (tenant_id, store_id, kind, resource_id) do update
            set changed_at = greatest(stored.changed_at, excluded.changed_at),
                deleted = excluded.deleted
            where excluded.deleted
              or case when stored.deleted
                   then stored.changed_at < excluded.changed_at and not ${created}
                   else stored.changed_at <= excluded.changed_at end
          returning kind
        )
        select exists (select from advanced) as is_newest,
               coalesce((select deleted from store_resources
                         where tenant_id = ${tenant_id} and store_id = ${store_id}
                           and kind = ${kind} and resource_id = ${id}), false) as is_deleted`,
    ),
  );
  const { is_newest: isNewest, is_deleted } = rows[0]!;
  return { isNewest, isDeleted: !isNewest && is_deleted };
}

/**
 * Copies the state that is stored under the id of a resource without its shop, by an earlier release or a post that did not
 * name the shop, unless there is one with the shop.
 */
export async function copyStateWithoutShop(
  tx: Db,
  { tenant_id, store_id }: ClaimedEvent,
  { kind, from, to }: { kind: ResourceKind; from: string; to: string },
): Promise<void> {
  await tx.query(
    statement(
      'copy-store-resource',
      sql`
        insert into store_resources (tenant_id, store_id, kind, resource_id, changed_at, deleted)
        select tenant_id, store_id, kind, ${to}, changed_at, deleted
        from store_resources
        where tenant_id = ${tenant_id} and store_id = ${store_id}
          and kind = ${kind} and resource_id = ${from}
        on conflict (tenant_id, store_id, kind, resource_id) do nothing`,
    ),
  );
}

/** The last message of a topic that the buyer got about a resource. Earlier releases stored neither. */
export type LastMessage = { fingerprint: string | null; message_id: number | null };

/**
 * Finds the last message of a topic about a resource.
 *
 * @param names the name that `recordMessage` gets, then the names that earlier versions used; the first that is stored counts
 */
export async function findLastMessage(
  tx: Db,
  { tenant_id, store_id }: ClaimedEvent,
  names: string[],
): Promise<LastMessage | undefined> {
  const { rows } = await tx.query<LastMessage>(
    statement(
      'find-last-store-message',
      sql`
        select fingerprint, message_id from store_resources
        where tenant_id = ${tenant_id} and store_id = ${store_id}
          and kind = 'told' and resource_id = any(${names}::text[])
        order by array_position(${names}::text[], resource_id)
        limit 1`,
    ),
  );
  return rows[0];
}

/**
 * Records the last message of a topic about a resource, in the transaction that stores the message. Its row in
 * `store_resources` has the kind `told`.
 */
export async function recordMessage(
  tx: Db,
  { tenant_id, store_id }: ClaimedEvent,
  message: { name: string; fingerprint: string; messageId: number; at: Date },
): Promise<void> {
  const { name, fingerprint, messageId, at } = message;
  await tx.query(
    statement(
      'record-store-message',
      sql`
        insert into store_resources (tenant_id, store_id, kind, resource_id, changed_at, fingerprint,
                                     message_id)
        values (${tenant_id}, ${store_id}, 'told', ${name}, ${at.toISOString()}, ${fingerprint},
                ${messageId})
        on conflict (tenant_id, store_id, kind, resource_id) do update set
          changed_at = excluded.changed_at,
          fingerprint = excluded.fingerprint,
          message_id = excluded.message_id`,
    ),
  );
}
