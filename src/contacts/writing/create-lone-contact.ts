import sql, { raw } from 'sql-template-tag';
import {
  countedRequests,
  countedWhen,
  type OfToken,
  type RequestCount,
  type TokenShare,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { type Columns, rowOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../contact-record.ts';
import type { ContactRecord, NewContact } from '../schema.ts';
import { insertedContacts } from './inserted-contacts.ts';

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

/** What a statement that creates contacts is given of each; `minute_limit` is its token's. */
export const askedColumns: Columns<AskedContact> = {
  tenant_id: ['bigint', ({ tenantId }) => tenantId],
  minute_limit: ['int', ({ requestsPerMinute }) => requestsPerMinute],
  firstname: ['text', ({ firstname }) => firstname],
  lastname: ['text', ({ lastname }) => lastname || null],
  phone: ['text', ({ phone }) => phone],
  email: ['text', ({ email }) => email || null],
  company: ['text', ({ company }) => company || null],
  city: ['text', ({ city }) => city || null],
};

/** The columns of a contact among them. */
export const contactColumns = 'tenant_id, firstname, lastname, phone, email, company, city';

type Given = { share: TokenShare<OfToken>; asked: AskedContact; clockOffsetMs: number };

const insertLoneContact = statement<Given>(
  'create-lone-contact',
  ({ share, asked, clockOffsetMs }) => {
    const at = moment(clockOffsetMs);
    return sql`
      with ${countedRequests(rowOf(share), at)}, ${insertedContacts({
        step: 'event',
        columns: `${contactColumns}, created_at, updated_at`,
        source: sql`
          select ${raw(contactColumns)}, ${at}, ${at}
          from ${rowOf(asked)('asked', askedColumns)}
          where (select minute_requests from counted) <= minute_limit`,
        returning: sql`
          'contact.created' as type, ${contactRecord(sql`'[]'::json`, noLabels)} as data`,
        isLone: true,
      })}, ${recordedEvents}
      select minute_requests as minute_used, ${countedWhen(at)}, (select data from event) as record
      from counted`;
  },
);

type Row = Pick<CreatedContact, 'minute_used' | 'minute_start' | 'counted_at' | 'record'>;

/** What `createContacts` does, for one contact without labels: half the work for the database. */
export async function createLoneContact(
  db: Db,
  asked: AskedContact,
  clockOffsetMs: number,
): Promise<CreatedContact> {
  const { tenantId, tokenId } = asked;
  const share = { tenantId, tokenId, items: [asked] };
  const { rows } = await db.query<Row>(insertLoneContact({ share, asked, clockOffsetMs }));
  return {
    ...rows[0]!,
    day_used: 0,
    status_known: true,
    source_known: true,
    groups_known: true,
    phone_taken: false,
  };
}
