import sql from 'sql-template-tag';
import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { ApiError, type FieldErrors, invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { required } from '../../platform/http/validation.ts';
import { recordEvents } from '../../webhooks/record-events.ts';
import { contactIdOf } from '../contact-identity.ts';
import { fieldColumns, fieldValues } from '../fields/field-columns.ts';
import { findContact } from '../find-contact.ts';
import { replaceGroups } from '../queries.ts';
import type { ContactChange, ContactRecord } from '../schema.ts';
import { contactRefusal } from './faults/contact-errors.ts';
import { findContactFaults } from './faults/find-contact-faults.ts';
import { findTaken } from './faults/find-taken.ts';
import { refuseUnknownLabels } from './faults/refuse-unknown-labels.ts';
import { retryLostLabel } from './faults/retry-lost-label.ts';
import { insertedContacts, notifiedOfContacts } from './inserted-contacts.ts';
import { updateContact } from './update-contact.ts';

/**
 * Creates the contact of a phone, or changes the given fields of the existing one.
 *
 * @param phone E.164. A contact has it in any of its forms.
 * @throws ApiError 422 for a missing first name of a new contact, another phone in the body, a taken external id and
 *   unknown labels
 */
export async function putContact(
  { db }: { db: Database },
  tenantId: number,
  phone: string,
  change: ContactChange,
): Promise<{ contact: ContactRecord; isNew: boolean }> {
  const { phone: given, ...fields } = change;
  if (given !== undefined && given !== phone) throw invalid(otherPhone);
  for (;;) {
    const id = await findId(db, tenantId, phone);
    if (id === undefined) {
      const contact = await create(db, tenantId, phone, fields);
      if (contact) return { contact, isNew: true };
      continue;
    }
    try {
      return { contact: await updateContact({ db }, tenantId, id, fields), isNew: false };
    } catch (error) {
      // It was deleted between the two statements.
      if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
    }
  }
}

/** Finds the faults that only the database can show, given the valid fields of a body. */
export async function findPutFaults(
  db: Db,
  tenantId: number,
  phone: string,
  { phone: given, ...fields }: ContactChange,
): Promise<FieldErrors> {
  const id = await findId(db, tenantId, phone);
  return {
    ...(await findContactFaults(db, tenantId, id, fields)),
    ...(given !== undefined && given !== phone && otherPhone),
  };
}

const otherPhone: FieldErrors = {
  phone: [
    fault(
      'other_phone',
      'must be absent or the phone in the address; PUT /contacts/{id} changes a phone',
      { id: '{id}' },
    ),
  ],
};

async function findId(db: Db, tenantId: number, phone: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number | null }>(
    sql`select ${contactIdOf(tenantId, sql`${phone}::text`)} as id`,
  );
  return rows[0]?.id ?? undefined;
}

/** @returns undefined if another request has created the contact since */
async function create(
  db: Database,
  tenantId: number,
  phone: string,
  { firstname, ...optional }: Omit<ContactChange, 'phone'>,
): Promise<ContactRecord | undefined> {
  if (firstname === undefined) {
    const further = await findContactFaults(db, tenantId, undefined, optional);
    throw invalid({ firstname: [required], ...further });
  }
  const contact = { ...optional, firstname, phone };
  const write = () =>
    db.transaction(async (tx) => {
      await refuseUnknownLabels(tx, tenantId, contact);
      const { rows } = await tx.query<{ id: number }>(sql`
        with ${insertedContacts({
          columns: `tenant_id, ${fieldColumns}, status_id, source_id, metadata, created_at, updated_at`,
          source: sql`
            select ${tenantId}::bigint, given.*, now(), now()
            from ${rowsOf('given', [contact], {
              ...fieldValues,
              status_id: ['bigint', ({ status_id }) => status_id ?? null],
              source_id: ['bigint', ({ source_id }) => source_id ?? null],
              metadata: ['jsonb', ({ metadata }) => JSON.stringify(metadata ?? {})],
            })}`,
        })}
        select id from contact cross join ${notifiedOfContacts}`);
      const [inserted] = rows;
      if (!inserted) {
        const taken = await findTaken(tx, tenantId, undefined, contact);
        if (taken.phone === null && taken.external_id !== null) throw contactRefusal({}, taken);
        return undefined;
      }
      await replaceGroups(tx, tenantId, inserted.id, [...new Set(contact.group_ids)]);
      const record = (await findContact(tx, tenantId, inserted.id))!;
      await recordEvents(tx, tenantId, [{ type: 'contact.created', data: record }]);
      return record;
    });
  return retryDeadlock(() => retryLostLabel(write));
}
