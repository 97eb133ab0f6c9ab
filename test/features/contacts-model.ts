const identityOf = (phone: string) =>
  phone.replace(/^(\+5531)9(\d{8})$/, '$1$2').replace(/^\+521/, '+52');

/** The fields of a create or a change. */
export type Fields = {
  firstname?: string;
  phone?: string;
  lastname?: string | null;
  email?: string | null;
  city?: string | null;
  status_id?: number | null;
  group_ids?: number[];
};
type Contact = {
  id: number;
  firstname: string;
  phone: string;
  lastname: string | null;
  email: string | null;
  city: string | null;
  status_id: number | null;
  group_ids: number[];
};

/** The contacts of a tenant in the simplest possible implementation. */
export class Model {
  contacts: Contact[] = [];
  labels = {
    statuses: [] as { id: number; name: string }[],
    groups: [] as { id: number; name: string }[],
  };

  /** The names of the fields that must be refused. */
  faults(given: Fields, self?: Contact): string[] {
    const known = (kind: 'statuses' | 'groups', id: number) =>
      this.labels[kind].some((label) => label.id === id);
    const faults: string[] = [];
    if (given.status_id != null && !known('statuses', given.status_id)) faults.push('status_id');
    if (given.group_ids?.some((id) => !known('groups', id))) faults.push('group_ids');
    const taken = this.contacts.some(
      (each) =>
        each !== self &&
        given.phone !== undefined &&
        identityOf(each.phone) === identityOf(given.phone),
    );
    return taken ? [...faults, 'phone'] : faults;
  }

  found(search: string): Contact[] {
    const needle = search.toLowerCase();
    return this.contacts.filter(({ firstname, lastname, phone, email }) =>
      [lastname === null ? firstname : `${firstname} ${lastname}`, phone, email ?? ''].some(
        (text) => text.toLowerCase().includes(needle),
      ),
    );
  }
}

/** Returns a contact after a change. An empty text becomes null. */
export function changed(contact: Contact, given: Fields): Contact {
  const cleared = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value === '' ? null : value]),
  );
  const groups = given.group_ids ?? contact.group_ids;
  return { ...contact, ...cleared, group_ids: [...new Set(groups)].sort((a, b) => a - b) };
}

/** Picks the fields that the model and the API have in common. */
export function essence({
  id,
  firstname,
  phone,
  lastname,
  email,
  city,
  status_id,
  group_ids,
}: Contact): Contact {
  return { id, firstname, phone, lastname, email, city, status_id, group_ids };
}
