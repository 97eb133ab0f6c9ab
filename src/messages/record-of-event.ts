import sql, { type Sql } from 'sql-template-tag';
import { notErased } from './queries.ts';

/**
 * Our id of the record of an event, the first of its messages if it has several.
 *
 * @param text the JSON of the event's data, or of a delivery with it. A record begins with its id
 */
function recordIdOf(text: Sql): Sql {
  return sql`substring(left(${text}, 200) from '"id" ?: ?(-?[0-9]+)')::bigint`;
}

/** Whether the message of an event was deleted: with its contact, or after the retention period. */
export function isMessageGone(tenantId: Sql | number, text: Sql): Sql {
  return sql`coalesce((
    select false from messages
    where messages.tenant_id = ${tenantId} and messages.id = ${recordIdOf(text)} and ${notErased}
  ), true)`;
}

/**
 * Whether the message or contact of an event has been deleted. Always false for `contact.deleted`, because receivers need
 * it to delete their copy of the contact.
 */
export function isRecordGone(tenantId: Sql | number, event: Sql, text: Sql): Sql {
  return sql`case
    when ${event} like 'message.%' then ${isMessageGone(tenantId, text)}
    when ${event} in ('contact.created', 'contact.updated', 'contact.read') then coalesce((
      select false from contacts as known
      -- A range in place of \`=\`, because PostgreSQL may have no statistics yet, and might then look for an equal id
      -- through an index of another column.
      where known.tenant_id = ${tenantId}
        and known.id >= ${recordIdOf(text)} and known.id <= ${recordIdOf(text)}
      order by known.id limit 1
    ), true)
    else false end`;
}
