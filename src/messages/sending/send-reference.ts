/**
 * Returns the reference that goes to the network with a message, and comes back with each report about it. With it, a
 * report finds the message even if the response to the send was lost.
 */
export function sendReference(tenantId: number, id: number): string {
  return `${tenantId}.${id}`;
}

/**
 * Reads our message id from what {@link sendReference} wrote; null if it belongs to another tenant, or if the text is
 * something else. Ids of tenants have up to 16 digits.
 */
export function idOfReference(reference: string | undefined, tenantId: number): number | null {
  const [, tenant, id] = /^(\d{1,16})\.(\d{1,15})$/.exec(reference ?? '') ?? [];
  return Number(tenant) === tenantId ? Number(id) : null;
}
