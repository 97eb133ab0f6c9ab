import { refuseOverMinute } from '../../limits/count-request.ts';
import type { RequestCount } from '../../limits/token-counts.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { type FieldErrors, invalid } from '../../platform/errors/api-error.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import { plans } from '../../tenants/plans.ts';
import type { ContactRecord, NewContact } from '../schema.ts';
import { takenPhone, unknownLabels } from './contact-errors.ts';
import { type ContactToCreate, type CreatedContact, createContacts } from './create-contacts.ts';

export type ContactCreator = ReturnType<typeof createContactCreator>;

const maxRequests = 2 ** 31 - 1;

/**
 * Creates contacts, each with its event and its count against the token's minute. Concurrent creates share one
 * statement, and a fault of one contact does not affect the others.
 */
export function createContactCreator({ db }: { db: Database }) {
  const create = createBatch<ContactToCreate, CreatedContact>({
    run: (contacts) => createContacts(db.batched, contacts),
    maxSize: 200,
  });

  /**
   * @param request gets its place in the minute as `counted`. A request with an Idempotency-Key has a
   *   transaction of its own, so its contact is created alone.
   * @throws ApiError 422 for a known phone and unknown labels, 429 over the per-minute limit
   */
  return async function createContact(
    request: { caller: Caller; db: Database; counted: RequestCount | undefined },
    contact: NewContact,
  ): Promise<ContactRecord> {
    const { tenantId, tokenId, plan } = request.caller;
    const toCreate = {
      ...contact,
      group_ids: [...new Set(contact.group_ids)],
      tenantId,
      tokenId,
      // A member of the dashboard has no token and no limit.
      requestsPerMinute: tokenId === 0 ? maxRequests : plans[plan].requestsPerMinute,
    };
    if (request.db === db) {
      const created = await create(toCreate);
      request.counted = created;
      refuseOverMinute(request.caller, created);
      return recordOf(created);
    }
    const [created] = await createContacts(request.db, [toCreate]);
    const record = recordOf(created!);
    // Set only on success: a refusal rolls back the transaction, and is counted again after the rollback.
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
