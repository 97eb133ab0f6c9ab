import { createHmac } from 'node:crypto';
import type { Knobs } from '../knobs.ts';
import { isOfAccount } from '../subscriptions.ts';
import type { JsonObject, SimulatedNumber, Update } from '../types.ts';

type StatusValue = JsonObject & { statuses: JsonObject[]; contacts?: JsonObject[] };

/**
 * Builds the body of a callback with the network's escapes: `/` as `\/` and every non-ASCII UTF-16 unit
 * as `\uXXXX`. A receiver that verifies the signature over anything but these bytes fails here too.
 *
 * @param numbers has the numbers of all updates, which are of one account
 */
export function callbackBody(
  numbers: ReadonlyMap<string, SimulatedNumber>,
  updates: Update[],
  batchAs: Knobs['batchAs'] = 'statuses',
): Buffer {
  const entries = batchAs === 'entries' ? updates.map((update) => [update]) : [updates];
  const body = {
    object: 'whatsapp_business_account',
    entry: entries.map((ofEntry) => ({
      id: numbers.get(ofEntry[0]!.phone_number_id)!.business_account_id,
      ...(ofEntry.every(isOfAccount) && {
        time: Math.floor(Date.now() / 1000),
      }),
      changes: changesOf(numbers, ofEntry, batchAs === 'statuses'),
    })),
  };
  return Buffer.from(escapeLikeTheNetwork(JSON.stringify(body)), 'latin1');
}

/** Computes the value of `X-Hub-Signature-256` for a body. */
export function signatureOf(body: Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}

function changesOf(
  numbers: ReadonlyMap<string, SimulatedNumber>,
  updates: Update[],
  merge: boolean,
): JsonObject[] {
  const changes: JsonObject[] = [];
  let open: StatusValue | null = null;
  let openNumber = '';
  for (const update of updates) {
    const number = numbers.get(update.phone_number_id)!;
    if (openNumber !== number.phone_number_id) open = null;
    openNumber = number.phone_number_id;
    if (isOfAccount(update)) {
      changes.push({ value: update.content, field: update.field });
      continue;
    }
    if (update.kind === 'status' && merge && open) {
      addStatus(open, update);
      continue;
    }
    const value: JsonObject = {
      messaging_product: 'whatsapp',
      metadata: {
        display_phone_number: number.display_phone_number.replace(/\D/g, ''),
        phone_number_id: number.phone_number_id,
      },
    };
    if (update.kind === 'change') {
      open = null;
      changes.push({ value: { ...value, ...update.content }, field: update.field });
      continue;
    }
    if (update.kind === 'status') {
      open = { ...value, statuses: [] };
      addStatus(open, update);
      changes.push({ value: open, field: 'messages' });
      continue;
    }
    changes.push({
      value: { ...value, contacts: [update.contact], messages: [update.content] },
      field: 'messages',
    });
  }
  return changes;
}

/** Adds a status and its recipient, which that of a failed message does not have. */
function addStatus(value: StatusValue, { content, contact }: Update): void {
  value.statuses.push(content);
  if (!contact) return;
  value.contacts ??= [];
  value.contacts.push(contact);
}

function escapeLikeTheNetwork(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
