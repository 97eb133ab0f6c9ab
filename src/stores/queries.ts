import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { notifyTopic } from '../tenants/watched-topics.ts';
import type { PlatformName } from './platforms/platforms.ts';
import type { Topic, TopicAction } from './schema.ts';

export type StoreRow = {
  tenant_id: number;
  id: number;
  webhook_id: string;
  platform: PlatformName;
  name: string;
  secret: Buffer | null;
  /** The secret before the last change; null if that was more than an hour ago. */
  previous_secret: Buffer | null;
  authentication: Buffer | null;
  country: string | null;
  /** Our id of the number that sends its messages; null for the rule that applies to every send. */
  number_id: number | null;
  /** Since then its posts wait; null if they are processed. */
  paused_since: Date | null;
  /** The operator's explanation for the tenant. */
  pause_reason: string | null;
  created_at: Date;
};

/** Every column of a store. */
export const storeColumns: Sql = sql`stores.tenant_id, stores.id, stores.webhook_id, stores.platform,
  stores.name, stores.secret,
  case when stores.previous_secret_until > now() then stores.previous_secret end as previous_secret,
  stores.authentication, stores.country, stores.number_id, stores.paused_since, stores.pause_reason,
  stores.created_at`;

/** @returns undefined if the tenant already has `max` stores */
export async function insertStore(
  db: Db,
  tenantId: number,
  store: {
    webhookId: string;
    platform: PlatformName;
    name: string;
    secret: Buffer | null;
    authentication: Buffer | null;
    country: string | null;
    numberId: number | null;
  },
  max: number,
): Promise<StoreRow | undefined> {
  const { rows } = await db.query<StoreRow>(sql`
    insert into stores (tenant_id, webhook_id, platform, name, secret, authentication, country,
                        number_id)
    select ${tenantId}::bigint, ${store.webhookId}, ${store.platform}, ${store.name},
           ${store.secret}::bytea, ${store.authentication}::bytea, ${store.country},
           ${store.numberId}::bigint
    where (select count(*) from stores where tenant_id = ${tenantId}) < ${max}
    returning ${storeColumns}, ${notifyTopic('stores', sql`stores.tenant_id`)}`);
  return rows[0];
}

/** @param id the store's id, or the last part of its address */
export async function findStore(
  db: Db,
  tenantId: number,
  id: number | string,
): Promise<StoreRow | undefined> {
  const { rows } = await db.query<StoreRow>(
    typeof id === 'number'
      ? sql`select ${storeColumns} from stores where tenant_id = ${tenantId} and id = ${id}`
      : sql`select ${storeColumns} from stores where tenant_id = ${tenantId} and webhook_id = ${id}`,
  );
  return rows[0];
}

export async function listStores(db: Db, tenantId: number): Promise<StoreRow[]> {
  const { rows } = await db.query<StoreRow>(sql`
    select ${storeColumns} from stores where tenant_id = ${tenantId} order by id`);
  return rows;
}

/**
 * Deletes some rows of a table of stores.
 *
 * @returns how many. A row that changes at the same moment stays
 */
export async function deleteRowsOfStore(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  table: 'store_events' | 'store_resources' | 'store_hours',
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from ${raw(table)} where ctid = any(array(
      select ctid from ${raw(table)}
      where tenant_id = ${tenantId} and store_id = ${id} limit ${limit}))`);
  return rowCount ?? 0;
}

/** Deletes a store with the few events and counts that are left. Posts may be inserting those at the same time. */
export async function deleteStore(db: Db, tenantId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from stores where tenant_id = ${tenantId} and id = ${id}
    returning ${notifyTopic('stores', sql`stores.tenant_id`)}`);
  return rowCount === 1;
}

/** Replaces keys of a store. A key that is undefined stays as it is; null removes it. */
export async function setStoreKeys(
  db: Db,
  tenantId: number,
  id: number,
  {
    secret,
    previousSecret = null,
    authentication,
  }: {
    secret?: Buffer | null;
    /** Accepted for another hour beside a new secret. */
    previousSecret?: Buffer | null;
    authentication?: Buffer | null;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update stores set
      ${
        secret === undefined
          ? empty
          : sql`secret = ${secret}, previous_secret = ${previousSecret},
                previous_secret_until = now() + interval '1 hour',`
      }
      authentication = ${authentication === undefined ? sql`authentication` : authentication}
    where tenant_id = ${tenantId} and id = ${id}`);
  return rowCount === 1;
}

/** Changes a store. A field that is undefined stays as it is. */
export async function updateStore(
  db: Db,
  tenantId: number,
  id: number,
  {
    name,
    country,
    number_id: numberId,
  }: { name?: string; country?: string | null; number_id?: number | null },
): Promise<StoreRow | undefined> {
  const { rows } = await db.query<StoreRow>(sql`
    update stores set
      name = ${name ?? sql`name`},
      country = ${country === undefined ? sql`country` : country},
      number_id = ${numberId === undefined ? sql`number_id` : numberId}
    where tenant_id = ${tenantId} and id = ${id}
    returning ${storeColumns}, ${notifyTopic('stores', sql`stores.tenant_id`)}`);
  return rows[0];
}

/** Lets the posts of a store wait, or processes them again. A store that is paused already keeps its time. */
export async function setPaused(
  db: Db,
  { tenant_id: tenantId, id }: Pick<StoreRow, 'tenant_id' | 'id'>,
  { isPaused, reason }: { isPaused: boolean; reason: string | null },
): Promise<StoreRow | undefined> {
  const { rows } = await db.query<StoreRow>(sql`
    update stores set
      paused_since = case when ${isPaused} then coalesce(paused_since, now()) end,
      pause_reason = ${reason}
    where tenant_id = ${tenantId} and id = ${id}
    returning ${storeColumns}, ${notifyTopic('stores', sql`stores.tenant_id`)}`);
  return rows[0];
}

export async function setTopicAction(
  db: Db,
  tenantId: number,
  storeId: number,
  topic: Topic,
  action: TopicAction,
): Promise<void> {
  await db.query(sql`
    insert into store_topics (tenant_id, store_id, topic, action)
    values (${tenantId}, ${storeId}, ${topic}, ${JSON.stringify(action)})
    on conflict (tenant_id, store_id, topic) do update set action = excluded.action
    returning ${notifyTopic('stores', sql`store_topics.tenant_id`)}`);
}

/** Lists the actions that a tenant has set. Topics with their default action are not included. */
export async function listTopicActions(
  db: Db,
  tenantId: number,
  storeId: number,
): Promise<{ topic: Topic; action: TopicAction }[]> {
  const { rows } = await db.query<{ topic: Topic; action: TopicAction }>(sql`
    select topic, action from store_topics
    where tenant_id = ${tenantId} and store_id = ${storeId}`);
  return rows;
}
