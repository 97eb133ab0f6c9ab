import { Type } from 'typebox';
import type { Db } from '../platform/database/database.ts';
import { doc } from '../platform/http/field-schema.ts';
import { findIdByNetworkId } from './queries.ts';

/** An example of the network's id of a message. */
export const exampleNetworkId = 'wamid.HBgLMTQxNTU1NTAxMjM=';

/** The path parameter that names a message. */
export const MessageName = Type.String(
  doc(
    '`message_id` from the response to the send, URL-encoded or not, or `id:` and its `id`, such as `id:42`.',
    exampleNetworkId,
  ),
);

/**
 * Reads our id of a message from `id:42`, or `id:-42` of the imported history. The network's ids never start with
 * `id:`.
 */
export function ownId(name: string): number | undefined {
  const [, id] = /^id:(-?[1-9]\d{0,14}|-[1-9]\d{15})$/.exec(name) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Finds our id of a message in either direction by its name; undefined if the tenant has no such message. */
export async function idOfName(
  db: Db,
  tenantId: number,
  name: string,
): Promise<number | undefined> {
  return ownId(name) ?? (await findIdByNetworkId(db, tenantId, name));
}
