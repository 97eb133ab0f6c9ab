import { refuseOverMinute } from '../../limits/count-request.ts';
import type { RequestCount } from '../../limits/token-counts.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { createFairBatch } from '../../platform/database/fair-batching.ts';
import type { Caller } from '../../tenants/api/find-caller.ts';
import { plans } from '../../tenants/plans.ts';
import type { ContactRecord, NewContact } from '../schema.ts';
import { type ContactToCreate, type CreatedContact, createContacts } from './create-contacts.ts';
import { contactRefusal, unknownLabels } from './faults/contact-errors.ts';
import { findTaken } from './faults/find-taken.ts';

export type ContactCreator = ReturnType<typeof createContactCreator>;

const maxRequests = 2 ** 31 - 1;

/**
 * Creates contacts, each with its event and its count against the token's minute. Concurrent creates share one
 * statement, and a fault of one contact does not affect the others.
 */
export function createContactCreator({ db }: { db: Database }) {
  const create = createFairBatch<ContactToCreate, CreatedContact>({
    lanes: db.lanes.fair,
    run: (contacts) => createContacts(db.fair, contacts),
    maxSize: 200,
    tenantOf: ({ tenantId }) => tenantId,
  });

  /**
   * @param request gets its place in the minute as `counted`. A request with an Idempotency-Key has a
   *   transaction of its own, so its contact is created alone.
   * @throws ApiError 422 for a known phone or external id, which names its contact, and for unknown labels; 429 over
   *   the per-minute limit
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
      return created.record ?? refuse(db, toCreate, created);
    }
    const [created] = await createContacts(request.db, [toCreate]);
    const record = created!.record ?? (await refuse(request.db, toCreate, created!));
    // Set only on success: a refusal rolls back the transaction, and is counted again after the rollback.
    request.counted = created;
    return record;
  };
}

async function refuse(
  db: Db,
  contact: ContactToCreate,
  { status_known: status_id, source_known: source_id, groups_known: group_ids }: CreatedContact,
): Promise<never> {
  const unknown = unknownLabels({ status_id, source_id, group_ids });
  const taken = await findTaken(db, contact.tenantId, undefined, contact);
  throw contactRefusal(unknown, taken);
}
