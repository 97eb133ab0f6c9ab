import sql from 'sql-template-tag';
import {
  countedRequests,
  type RequestCount,
  resetsAfter,
  shareByToken,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../contact-record.ts';
import type { ContactRecord, NewContact } from '../schema.ts';

export type AskedContact = NewContact & {
  tenantId: number;
  tokenId: number;
  requestsPerMinute: number;
  /** Each id once. */
  group_ids: number[];
};

export type CreatedContact = RequestCount & {
  /** null when nothing was written: over the minute, an unknown label, or else a known phone. */
  record: ContactRecord | null;
  status_known: boolean;
  source_known: boolean;
  groups_known: boolean;
  /** Looked for only where a label is unknown; else what keeps a contact from being written tells. */
  phone_taken: boolean;
};

/** Whether a contact has no label whose existence would have to be checked. */
export function hasNoLabels({ status_id, source_id, group_ids }: AskedContact): boolean {
  return (status_id ?? source_id ?? null) === null && group_ids.length === 0;
}

/** Not looked for: a lookup that finds nothing costs as much. */
const noLabels = { status: sql`null`, source: sql`null` };

/** What `createContacts` does, for one contact without labels: half the work for the database. */
export async function createLoneContact(
  db: Db,
  asked: AskedContact,
  clockOffsetMs: number,
): Promise<CreatedContact> {
  const at = moment(clockOffsetMs);
  const { rows } = await db.query<CreatedContact>(
    prepared(
      'create-lone-contact',
      sql`
        with ${countedRequests(shareByToken([asked]), at)}, contact as (
          insert into contacts (tenant_id, firstname, lastname, phone, email, company, city,
                                created_at, updated_at)
          select ${asked.tenantId}, ${asked.firstname}, ${asked.lastname || null}, ${asked.phone},
                 ${asked.email || null}, ${asked.company || null}, ${asked.city || null},
                 ${at}, ${at}
          from counted
          where minute_requests <= ${asked.requestsPerMinute}::int
          on conflict (tenant_id, phone_identity) do nothing
          returning *
        ), event as materialized (
          select tenant_id, 'contact.created' as type, ${contactRecord(sql`'[]'::json`, noLabels)} as data
          from contact
        ), ${recordedEvents}
        select minute_requests as minute_used, ${resetsAfter(at)}, 0 as day_used,
               (select data from event) as record,
               true as status_known, true as source_known, true as groups_known,
               false as phone_taken
        from counted`,
    ),
  );
  return rows[0]!;
}
