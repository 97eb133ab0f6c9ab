import sql, { type Sql } from 'sql-template-tag';
import { notErased } from './queries.ts';

/**
 * Our id of the message of an event, the first of its messages if it has several.
 *
 * @param text the JSON of the event's data, or of a delivery with it. A record begins with its id
 */
export function messageIdOf(text: Sql): Sql {
  return sql`substring(${text} from '"id":(-?[0-9]+)')::bigint`;
}

/** Whether the message of an event was deleted: with its contact, or after the retention period. */
export function isMessageGone(tenantId: number, text: Sql): Sql {
  return sql`coalesce((
    select false from messages
    where messages.tenant_id = ${tenantId} and messages.id = ${messageIdOf(text)} and ${notErased}
  ), true)`;
}
