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

/** Reads what an event is about from its body. */
export function readSubject(event: string, body: string | undefined): Subject {
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
