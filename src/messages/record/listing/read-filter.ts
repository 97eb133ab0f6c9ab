import sql from 'sql-template-tag';
import { contactIdentity } from '../../../contacts/contact-identity.ts';
import type { Db } from '../../../platform/database/database.ts';
import { invalid } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { identityOf } from '../../../platform/values/phones/recipient.ts';
import { personOf } from '../../conversations/person.ts';
import { idOfName } from '../../message-name.ts';
import type { MessagesQuery } from './list-schema.ts';
import type { PersonFilter, RecordFilter } from './record-filter.ts';

/**
 * Reads the filter of a list of messages.
 *
 * @returns undefined if no message can pass it: no such message or contact, or the phone of another person
 * @throws ApiError 422 on `number`, `from_time` or `to_time`
 */
export async function readFilter(
  db: Db,
  tenantId: number,
  query: Omit<MessagesQuery, 'limit'>,
): Promise<RecordFilter | undefined> {
  const { phone_number, contact_id, number, from_time, to_time } = query;
  const { direction, status, error_code: errorCode, type, cause, reference, message_id } = query;
  const [from, to] = [timeOf(from_time), timeOf(to_time)];
  if (from && to && from >= to) throw invalid({ to_time: [notLater] });
  const numberId = number === undefined ? undefined : await numberIdOf(db, tenantId, number);
  const id = message_id === undefined ? undefined : await idOfName(db, tenantId, message_id);
  if (message_id !== undefined && id === undefined) return undefined;
  const people = await findPeople(db, tenantId, { phone_number, contact_id });
  if (people?.length === 0) return undefined;
  return { id, people, numberId, direction, status, errorCode, type, cause, reference, from, to };
}

/** Finds the conversations of a phone or a contact, or of both; undefined if neither is given. */
async function findPeople(
  db: Db,
  tenantId: number,
  { phone_number, contact_id }: Pick<MessagesQuery, 'phone_number' | 'contact_id'>,
): Promise<PersonFilter[] | undefined> {
  const person =
    phone_number === undefined ? undefined : await findPerson(db, tenantId, phone_number);
  if (contact_id === undefined) return person === undefined ? undefined : [{ person }];
  const ofContact = await findPeopleOfContact(db, tenantId, contact_id);
  return person === undefined ? ofContact : ofContact.filter((each) => each.person === person);
}

/**
 * Finds our id of a number, connected or not.
 *
 * @throws ApiError 422 on `number`
 */
export async function numberIdOf(db: Db, tenantId: number, name: string): Promise<number> {
  const digits = name.startsWith('+') ? name.slice(1) : null;
  const { rows } = await db.query<{ id: number }>(sql`
    select id from numbers
    where tenant_id = ${tenantId} and (phone_number_id = ${name}
      or regexp_replace(display_phone_number, '[^0-9]', '', 'g') = ${digits}::text)
    order by disconnected_at is not null, id desc limit 1`);
  const [found] = rows;
  if (!found) throw invalid({ number: [unknownNumber] });
  return found.id;
}

/** Finds the key of the conversation with a phone or user id, whether or not it has messages. */
export async function findPerson(db: Db, tenantId: number, recipient: string): Promise<string> {
  const { rows } = await db.query<{ person: string }>(
    sql`select ${personOf(tenantId, identityOf(recipient))} as person`,
  );
  return rows[0]!.person;
}

/** Whether there is a conversation with the person, even if all of its messages are deleted. */
export async function hasConversation(db: Db, tenantId: number, person: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from conversations
    where tenant_id = ${tenantId} and person = ${person} and last_message_id is not null`);
  return rowCount === 1;
}

/** Finds the conversation of a contact, and those of the phones that it had before. */
async function findPeopleOfContact(
  db: Db,
  tenantId: number,
  contactId: number,
): Promise<PersonFilter[]> {
  const { rows } = await db.query<{ person: string; up_to_id: number | null }>(sql`
    select ${personOf(tenantId, sql`contact.identity`)} as person, null::bigint as up_to_id
    from (
      select ${contactIdentity} as identity from contacts
      where contacts.tenant_id = ${tenantId} and contacts.id = ${contactId}
    ) as contact
    union all
    select person, up_to_id from earlier_conversations
    where tenant_id = ${tenantId} and contact_id = ${contactId}`);
  const present = rows.find((row) => row.up_to_id === null)?.person;
  return rows
    .filter((row) => row.up_to_id === null || row.person !== present)
    .map(({ person, up_to_id: upToId }) => (upToId === null ? { person } : { person, upToId }));
}

/** A schema accepts years that PostgreSQL does not have. No message is older than 1970. */
function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(Math.max(0, Date.parse(text)));
}

const notLater = fault('not_later', 'must be later than from_time');
const unknownNumber = fault('not_own_number', 'is not a number of this tenant');
