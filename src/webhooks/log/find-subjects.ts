import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** The record of an event: the fields of a contact, label or message that say what it is about. */
type Record = {
  id?: number;
  contact_id?: number | null;
  firstname?: string;
  lastname?: string | null;
  name?: string;
  phone?: string | null;
  phone_number?: string | null;
  user_id?: string | null;
};

/** The subject of an event, for people: a name or a phone, and the id of the contact. */
export type Subject = { name: string | null; contact_id: number | null };

/**
 * Finds what deliveries are about. Records of messages have the id of a contact, which is replaced by the contact's
 * present name.
 *
 * @param bodies the bodies of the deliveries by their ids; those that are too long are missing
 */
export async function findSubjects(
  db: Db,
  tenantId: number,
  deliveries: { id: number; event: string }[],
  bodies: Map<number, string>,
): Promise<Map<number, Subject>> {
  const subjects = deliveries.map(({ id, event }) => readSubject(event, bodies.get(id)));
  const { rows } = await db.query<{ id: number; name: string }>(sql`
    select id, concat_ws(' ', firstname, lastname) as name from contacts
    where tenant_id = ${tenantId}
      and id = any(${subjects.map((each) => each.contact_id)}::bigint[])`);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return new Map(
    deliveries.map(({ id, event }, index) => {
      const subject = subjects[index]!;
      const name = event.startsWith('message.') ? names.get(subject.contact_id ?? 0) : undefined;
      return [id, { ...subject, name: name ?? subject.name }];
    }),
  );
}

/** Reads what an event is about from its body. */
function readSubject(event: string, body: string | undefined): Subject {
  const record = body === undefined ? undefined : recordOf(body);
  if (!record) return { name: null, contact_id: null };
  const isContact = event.startsWith('contact.');
  const fullName = [record.firstname, record.lastname].filter(Boolean).join(' ');
  return {
    name: fullName || record.name || record.phone || record.phone_number || record.user_id || null,
    contact_id: (isContact ? record.id : record.contact_id) ?? null,
  };
}

function recordOf(body: string): Record | undefined {
  try {
    const { data } = JSON.parse(body);
    return typeof data === 'object' && data !== null ? data : undefined;
  } catch {
    // A row that was written by hand.
    return undefined;
  }
}
