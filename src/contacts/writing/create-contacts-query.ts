import sql, { raw } from 'sql-template-tag';
import {
  countedRequests,
  countedWhen,
  shareByToken,
  type TokenShare,
} from '../../limits/token-counts.ts';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../contact-record.ts';
import {
  type AskedContact,
  askedColumns,
  type CreatedContact,
  contactColumns,
  createLoneContact,
  hasNoLabels,
} from './create-lone-contact.ts';
import { insertedContacts } from './inserted-contacts.ts';

/** `position` is the place in the order of asking, from 0. */
type NumberedContact = AskedContact & { position: number };

type Given = {
  shares: TokenShare<NumberedContact>[];
  /** With the size of their share, and their place in it, from 1. */
  contacts: (NumberedContact & { share: number; place: number })[];
  clockOffsetMs: number;
};

const insertContacts = statement<Given>(
  'create-contacts',
  ({ shares, contacts, clockOffsetMs }) => {
    const at = moment(clockOffsetMs);
    const asked = rowsOf(contacts)('asked', {
      ...askedColumns,
      token_id: ['bigint', ({ tokenId }) => tokenId],
      status_id: ['bigint', ({ status_id }) => status_id ?? null],
      source_id: ['bigint', ({ source_id }) => source_id ?? null],
      group_ids: ['text', ({ group_ids }) => `{${group_ids}}`],
      share: ['int', ({ share }) => share],
      place: ['int', ({ place }) => place],
      position: ['int', ({ position }) => position],
    });
    return sql`
      with ${countedRequests(rowsOf(shares), at)}, asked as (
        select * from ${asked}
      ), placed as (
        select asked.*, minute_requests - asked.share + asked.place as minute_used,
               minute_start
        from asked
        join counted using (tenant_id, token_id)
      ), checked as (
        select placed.*,
               status_id is null or coalesce((
                 select statuses.deleted_at is null from statuses
                 where statuses.tenant_id = placed.tenant_id and statuses.id = status_id
               ), false) as status_known,
               source_id is null or coalesce((
                 select sources.deleted_at is null from sources
                 where sources.tenant_id = placed.tenant_id and sources.id = source_id
               ), false) as source_known,
               group_ids = '{}' or cardinality(group_ids::bigint[]) = (
                 -- Not a condition: it would have the index of names read as a whole.
                 select count(*) filter (where groups.deleted_at is null)
                 from groups where groups.tenant_id = placed.tenant_id
                   and groups.id = any(group_ids::bigint[])
               ) as groups_known
        from placed
      ), valid as (
        select checked.*, nextval('contacts_id_seq') as id
        from checked
        where minute_used <= minute_limit and status_known and source_known and groups_known
      ), ${insertedContacts({
        columns: `id, ${contactColumns}, status_id, source_id, created_at, updated_at`,
        source: sql`
          select id, ${raw(contactColumns)}, status_id, source_id, ${at}, ${at}
          from valid
          order by tenant_id, phone, position`,
      })}, grouped as (
        insert into contact_groups (tenant_id, contact_id, group_id)
        select contact.tenant_id, contact.id, group_id
        from contact join valid on valid.id = contact.id
        cross join unnest(valid.group_ids::bigint[]) as group_id
        where valid.group_ids <> '{}'
      ), written as (
        select contact.tenant_id, valid.position, ${contactRecord(sql`array_to_json(
                 array(select unnest(valid.group_ids::bigint[]) order by 1))`)} as record
        from contact join valid on valid.id = contact.id
      ), event as (
        select tenant_id, 'contact.created' as type, record as data from written
      ), ${recordedEvents}
      select checked.minute_used, ${countedWhen(at)}, 0 as day_used, written.record,
             status_known, source_known, groups_known,
             case when not (status_known and source_known and groups_known) then exists (
               select from contacts
               where contacts.tenant_id = checked.tenant_id
                 and contacts.phone_identity = phone_identity(checked.phone)
             ) else false end as phone_taken
      from checked
      left join written using (position)
      order by checked.position`;
  },
);

/**
 * Counts many creates against their tokens' minute and writes down the contacts that can be, with
 * their groups and events, in one statement; answers in their order. What stands against a contact
 * is told in its row and never an error, which would undo its neighbours.
 */
export async function createContacts(
  db: Db,
  inOrder: AskedContact[],
  clockOffsetMs: number,
): Promise<CreatedContact[]> {
  const [first] = inOrder;
  if (inOrder.length === 1 && hasNoLabels(first!)) {
    return [await createLoneContact(db, first!, clockOffsetMs)];
  }
  const shares = shareByToken(inOrder.map((each, position) => ({ ...each, position })));
  const contacts = shares.flatMap(({ items }) =>
    items.map((each, index) => ({ ...each, share: items.length, place: index + 1 })),
  );
  const { rows } = await db.query<CreatedContact>(
    insertContacts({ shares, contacts, clockOffsetMs }),
  );
  return rows;
}
