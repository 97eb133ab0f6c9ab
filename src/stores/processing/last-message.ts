import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/secrets/crypto.ts';
import { resourceIdOf } from '../platforms/reading.ts';
import type { ClaimedEvent } from './claim-events.ts';
import type { PlannedMessage, PlannedResource } from './plan-event.ts';
import { findLastMessage, type LastMessage } from './resource-queries.ts';

/**
 * Compares the message of an event with the last one of its topic about the resource.
 *
 * Stores repeat posts, WooCommerce posts an order up to nine times around one checkout (github.com/woocommerce/woocommerce,
 * issues 13760 and 20047), and an attacker who has intercepted a post can send it again with another delivery id, which
 * is not signed. Therefore a buyer gets one message for a created resource, and a text about it never twice in a row.
 *
 * @param tx a transaction that has locked the resource
 * @returns `name` and `fingerprint` for `recordMessage`; `isLast`: the last message has this text, or is from an earlier
 *   attempt of this event; `isSent`: another event has sent it, or may have
 */
export async function compareWithLast(
  { sender }: { sender: Pick<AutomatedSender, 'resume'> },
  tx: Db,
  event: ClaimedEvent,
  { resource, message }: { resource: PlannedResource; message: PlannedMessage },
): Promise<{ name: string; fingerprint: string; isLast: boolean; isSent: boolean }> {
  const hash = hashOf(message);
  const name = nameOf(event, resource, resourceIdOf(resource), hash);
  const fingerprint = fingerprintOf(resource, hash);
  // Earlier versions recorded messages without the shop, at first with a row for each text.
  const earlierNames = [
    nameOf(event, resource, resource.id, hash),
    `${event.topic} ${resource.id} ${hash}`,
  ];
  const last = await findLastMessage(tx, event, [name, ...earlierNames]);
  const isOwn = event.message_id !== null && last?.message_id === event.message_id;
  const isSame = last !== undefined && [null, fingerprint].includes(last.fingerprint);
  // Its own message is another attempt only after it was certainly not sent.
  const isSent = isSame && !isOwn && (await wasSent(last));
  return { name, fingerprint, isLast: isSame || isOwn, isSent };

  async function wasSent({ message_id: id }: LastMessage): Promise<boolean> {
    return id === null || (await sender.resume(event.tenant_id, id, tx)) !== undefined;
  }
}

/**
 * Returns the name under which the last message is recorded: the topic and the resource. If the store sends no time, a late
 * post of an old state cannot be distinguished from a return to that state, so the name also has the text, and each text is
 * sent only once.
 */
function nameOf(
  { topic }: ClaimedEvent,
  { created, changedAt }: PlannedResource,
  id: string,
  hash: string,
): string {
  return created || changedAt ? `${topic} ${id}` : `${topic} ${id} ${hash}`;
}

/** Every message about the creation of a record is the same one, whatever its text. */
function fingerprintOf({ created, key }: PlannedResource, hash: string): string {
  return created ? (key ?? '') : hash;
}

function hashOf({ phone, name, language, fields, headerMediaUrl }: PlannedMessage): string {
  const text = JSON.stringify([phone, name, language, [...fields], headerMediaUrl]);
  return sha256(text).toString('base64');
}
