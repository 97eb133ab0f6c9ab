import sql, { raw, type Sql } from 'sql-template-tag';
import { labelKinds } from '../../labels/label-kinds.ts';
import { isoTime } from '../../platform/database/iso-time.ts';
import { contactFieldNames } from './contact-fields.ts';

/**
 * Builds the JSON of a contact as the API and the events show it, for a statement with a table `contact`. Labels
 * that are being deleted are omitted.
 *
 * @param groupIds SQL expression of type json with the ids of its groups; by default a query of the tables
 * @param labels SQL expressions of its status and source
 */
export function contactRecord(groupIds: Sql = readGroupIds, labels = readLabels): Sql {
  return sql`json_build_object(
    'id', contact.id,
    ${fields},
    'user_id', contact.user_id,
    'username', contact.username,
    'status_id', ${labels.status},
    'source_id', ${labels.source},
    'group_ids', ${groupIds},
    'metadata', contact.metadata,
    'created_at', ${isoTime(sql`contact.created_at`)},
    'updated_at', ${isoTime(sql`contact.updated_at`)})`;
}

const fields = raw(
  contactFieldNames
    .map((name) => `'${name}', contact.${name}`)
    .join(`,
    `),
);

const readLabels = {
  status: currentLabel('statuses', sql`contact`),
  source: currentLabel('sources', sql`contact`),
};

/** The id of a contact's status or source; null also while a deleted one has not been taken off the contact. */
export function currentLabel(kind: 'statuses' | 'sources', contact: Sql): Sql {
  const labels = raw(kind);
  return sql`(
      select case when ${labels}.deleted_at is null then ${labels}.id end from ${labels}
      where ${labels}.tenant_id = ${contact}.tenant_id
        and ${labels}.id = ${contact}.${raw(labelKinds[kind].one)}_id)`;
}

const readGroupIds: Sql = sql`to_json(array(
  select groups.id
  from contact_groups
  join groups on groups.tenant_id = contact_groups.tenant_id
    and groups.id = contact_groups.group_id and groups.deleted_at is null
  where contact_groups.tenant_id = contact.tenant_id and contact_groups.contact_id = contact.id
  order by groups.id))`;

/** The current ids of the groups of `contact`, for a statement that may have waited for a lock on its row. */
export const groupIdsNow: Sql = sql`group_ids_now(contact.tenant_id, contact.id)`;
