export function nameOf(contact: { firstname: string; lastname: string | null }): string {
  return [contact.firstname, contact.lastname].filter(Boolean).join(' ');
}
