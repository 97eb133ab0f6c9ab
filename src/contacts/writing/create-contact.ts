import { type FieldErrors, invalid } from '../../errors.ts';
import { refuseOverMinute } from '../../limits/count-request.ts';
import type { RequestCount } from '../../limits/token-counts.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import { plans } from '../../tenants/plans.ts';
import type { ContactRecord, NewContact } from '../schema.ts';
import { takenPhone, unknownLabels } from './contact-errors.ts';
import { type AskedContact, type CreatedContact, createContacts } from './create-contacts.ts';

export type ContactCreator = ReturnType<typeof createContactCreator>;

const mostRequests = 2 ** 31 - 1;

/**
 * Creates contacts, each with its event and its count against the token's minute, by statements
 * shared by all creates of the moment. What is wrong with one contact does not touch the others.
 */
export function createContactCreator({ db }: { db: Database }) {
  const create = createBatch<AskedContact, CreatedContact>({
    run: (asked) => createContacts(db.batched, asked),
    maxSize: 200,
  });

  /**
   * @param request whose place in its minute is told in `counted`; one with an Idempotency-Key
   *   brings a transaction to work in, so it goes alone
   * @throws ApiError 422 for a known phone and unknown labels, 429 over the minute
   */
  return async function createContact(
    request: { caller: Caller; db: Database; counted: RequestCount | undefined },
    contact: NewContact,
  ): Promise<ContactRecord> {
    const { tenantId, tokenId, plan } = request.caller;
    const asked = {
      ...contact,
      group_ids: [...new Set(contact.group_ids)],
      tenantId,
      tokenId,
      // A member in the dashboard is no token, and has no limit.
      requestsPerMinute: tokenId === 0 ? mostRequests : plans[plan].requestsPerMinute,
    };
    if (request.db === db) {
      const created = await create(asked);
      request.counted = created;
      refuseOverMinute(request.caller, created);
      return recordOf(created);
    }
    const [created] = await createContacts(request.db, [asked]);
    const record = recordOf(created!);
    // Only now: a refusal undoes the transaction, and is counted anew where it ends.
    request.counted = created;
    return record;
  };
}

function recordOf(created: CreatedContact): ContactRecord {
  if (created.record) return created.record;
  throw invalid(faultsOf(created));
}

function faultsOf(created: CreatedContact): FieldErrors {
  const unknown = unknownLabels({
    status_id: created.status_known,
    source_id: created.source_known,
    group_ids: created.groups_known,
  });
  const isTaken = created.phone_taken || Object.keys(unknown).length === 0;
  return { ...unknown, ...(isTaken && takenPhone) };
}
