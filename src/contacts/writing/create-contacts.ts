import sql, { raw, type Sql } from 'sql-template-tag';
import {
  countedRequests,
  countedWhen,
  type RequestCount,
  shareByToken,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../fields/contact-record.ts';
import { fieldColumns, fieldValues } from '../fields/field-columns.ts';
import type { ContactRecord, NewContact } from '../schema.ts';
import { insertedContacts, notifiedOfContacts } from './inserted-contacts.ts';

export type ContactToCreate = NewContact & {
  tenantId: number;
  tokenId: number;
  requestsPerMinute: number;
  /** Without duplicates. */
  group_ids: number[];
};

export type CreatedContact = RequestCount & {
  /** null if nothing was stored: over the minute, an unknown label, a known phone or a known external id. */
  record: ContactRecord | null;
  status_known: boolean;
  source_known: boolean;
  groups_known: boolean;
};

const contactColumns = `tenant_id, ${fieldColumns}, metadata`;

/**
 * Counts many creates against their tokens' minute, and stores the contacts that are valid with their
 * groups and events, in one statement. A fault of one contact is reported in its result and is never an
 * error, which would roll back the others.
 *
 * @returns a result for each contact, in the same order
 */
export async function createContacts(
  db: Db,
  toCreate: ContactToCreate[],
): Promise<CreatedContact[]> {
  const shares = shareByToken(toCreate.map((each, position) => ({ ...each, position })));
  const contacts = shares.flatMap(({ items }) =>
    items.map((each, index) => ({ ...each, share: items.length, place: index + 1 })),
  );
  // The check of labels and groups takes as long as everything else.
  const labels = toCreate.some(hasLabel) ? checkingLabels : withoutLabels;
  const { rows } = await db.query<CreatedContact>(
    statement(
      labels.name,
      sql`
        with ${countedRequests(shares)}, asked as (
          select asked.*, minute_requests - asked.share + asked.place as minute_used, minute_start
          from ${rowsOf('asked', contacts, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            minute_limit: ['int', ({ requestsPerMinute }) => requestsPerMinute],
            ...fieldValues,
            metadata: ['jsonb', ({ metadata }) => JSON.stringify(metadata ?? {})],
            status_id: ['bigint', ({ status_id }) => status_id ?? null],
            source_id: ['bigint', ({ source_id }) => source_id ?? null],
            group_ids: ['text', ({ group_ids }) => `{${group_ids}}`],
            share: ['int', ({ share }) => share],
            place: ['int', ({ place }) => place],
            position: ['int', ({ position }) => position],
          })}
          join counted using (tenant_id, token_id)
        ), checked as (
          select asked.*, ${labels.checks} from asked
        ), valid as (
          select checked.*, nextval('contacts_id_seq') as id
          from checked
          where minute_used <= minute_limit and status_known and source_known and groups_known
        ), ${insertedContacts({
          columns: `id, ${contactColumns}, status_id, source_id, created_at, updated_at`,
          source: sql`
            select id, ${raw(contactColumns)}, status_id, source_id, now(), now()
            from valid
            order by tenant_id, phone, position`,
        })}, ${labels.assignGroups} stored as (
          select contact.tenant_id, valid.position, ${labels.record} as record
          from contact join valid on valid.id = contact.id
        ), event as (
          select tenant_id, 'contact.created' as type, record as data from stored
        ), ${recordedEvents}
        select checked.minute_used, ${countedWhen}, 0 as day_used, stored.record,
               status_known, source_known, groups_known
        from checked
        left join stored using (position)
        cross join ${notifiedOfContacts}
        order by checked.position`,
    ),
  );
  return rows;
}

function hasLabel({ status_id, source_id, group_ids }: ContactToCreate): boolean {
  return (status_id ?? source_id ?? null) !== null || group_ids.length > 0;
}

/** The parts of the statement that deal with labels and groups. */
type LabelParts = {
  name: string;
  checks: Sql;
  assignGroups: Sql;
  record: Sql;
};

const checkingLabels: LabelParts = {
  name: 'create-labelled-contacts',
  checks: sql`
    status_id is null or coalesce((
      select statuses.deleted_at is null from statuses
      where statuses.tenant_id = asked.tenant_id and statuses.id = status_id
    ), false) as status_known,
    source_id is null or coalesce((
      select sources.deleted_at is null from sources
      where sources.tenant_id = asked.tenant_id and sources.id = source_id
    ), false) as source_known,
    group_ids = '{}' or (
      -- Each is looked up by itself: before version 17, PostgreSQL would read all groups of the tenant.
      select bool_and(coalesce((
        select groups.deleted_at is null from groups
        where groups.tenant_id = asked.tenant_id and groups.id = chosen.id
      ), false))
      from unnest(group_ids::bigint[]) as chosen (id)
    ) as groups_known`,
  assignGroups: sql`
    grouped as (
      insert into contact_groups (tenant_id, contact_id, group_id)
      select contact.tenant_id, contact.id, group_id
      from contact join valid on valid.id = contact.id
      cross join unnest(valid.group_ids::bigint[]) as group_id
      where valid.group_ids <> '{}'
    ), `,
  record: contactRecord(sql`array_to_json(
    array(select unnest(valid.group_ids::bigint[]) order by 1))`),
};

const withoutLabels: LabelParts = {
  name: 'create-contacts',
  checks: sql`true as status_known, true as source_known, true as groups_known`,
  assignGroups: sql``,
  record: contactRecord(sql`'[]'::json`, { status: sql`null`, source: sql`null` }),
};
