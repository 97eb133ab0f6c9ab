import sql, { type Sql } from 'sql-template-tag';
import { isoTime } from '../webhooks/record-events.ts';

/**
 * A contact as the API and the events show it, as JSON, in a statement that has it as `contact`. A
 * label that is being deleted is not shown any more.
 *
 * @param groupIds the ids of its groups as an SQL expression of type json; read when left out
 * @param labels the same of its status and source
 */
export function contactRecord(groupIds: Sql = readGroupIds, labels = readLabels): Sql {
  return sql`json_build_object(
    'id', contact.id,
    'firstname', contact.firstname,
    'lastname', contact.lastname,
    'phone', contact.phone,
    'email', contact.email,
    'company', contact.company,
    'city', contact.city,
    'status_id', ${labels.status},
    'source_id', ${labels.source},
    'group_ids', ${groupIds},
    'created_at', ${isoTime(sql`contact.created_at`)},
    'updated_at', ${isoTime(sql`contact.updated_at`)})`;
}

const readLabels = {
  status: sql`(
      select case when statuses.deleted_at is null then statuses.id end from statuses
      where statuses.tenant_id = contact.tenant_id and statuses.id = contact.status_id)`,
  source: sql`(
      select case when sources.deleted_at is null then sources.id end from sources
      where sources.tenant_id = contact.tenant_id and sources.id = contact.source_id)`,
};

const readGroupIds: Sql = sql`to_json(array(
  select groups.id
  from contact_groups
  join groups on groups.tenant_id = contact_groups.tenant_id
    and groups.id = contact_groups.group_id and groups.deleted_at is null
  where contact_groups.tenant_id = contact.tenant_id and contact_groups.contact_id = contact.id
  order by groups.id))`;

/** The ids of the groups of `contact`, for a statement that may have waited for its row. */
export const groupIdsNow: Sql = sql`group_ids_now(contact.tenant_id, contact.id)`;
