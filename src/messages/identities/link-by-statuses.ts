import sql from 'sql-template-tag';
import { createTtlCache } from '../../platform/concurrency/ttl-cache.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { createFairBatch, isLongList } from '../../platform/database/fair-batching.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { hasNetworkId, notErased } from '../queries.ts';
import { type AttestedLink, keyOfLink, linkNewUserIds, mergeLinked } from './link-identities.ts';

/** A link with the message whose status attests it: our id if the callback has it, and the network's id. */
type StatusLink = AttestedLink & { sentId: number | null; networkId: string };

/** Nearly every status names both identities of its recipient, so the same ones are looked up once an hour. */
const lookAgainMs = 3_600_000;

/**
 * Creates a function that links the phone and the user id of recipients, which delivery statuses attest. Statuses of
 * unknown messages do not: they are of people to whom another program with the same number writes, or of a person who
 * was deleted.
 */
export function createStatusLinker({ db }: { db: Database }) {
  const known = createTtlCache<true>({ ttlMs: lookAgainMs });
  const link = createFairBatch<StatusLink[], { attested: StatusLink[]; unlinked: AttestedLink[] }>({
    lanes: db.lanes.fairTransaction,
    run: (lists) =>
      db.fairTransaction(async (tx) => {
        const attested = await findAttested(tx, lists.flat());
        const unlinked = new Set((await linkNewUserIds(tx, [...attested])).map(keyOfLink));
        return lists.map((list) => {
          const ofList = list.filter((each) => attested.has(each));
          return {
            attested: ofList,
            unlinked: ofList.filter((each) => unlinked.has(keyOfLink(each))),
          };
        });
      }),
    maxSize: 200,
    tenantOf: ([first]) => first!.tenantId,
    isLong: isLongList,
  });

  return async function linkByStatuses(links: StatusLink[]): Promise<void> {
    const unknown = links.filter((each) => !known.get(keyOfLink(each)));
    if (unknown.length === 0) return;
    const { attested, unlinked } = await link(unknown);
    await mergeLinked(db, unlinked);
    for (const each of attested) known.set(keyOfLink(each), true);
  };
}

/** Finds the links by statuses of messages that we have, without those that were deleted with their contact. */
async function findAttested(tx: Db, links: StatusLink[]): Promise<Set<StatusLink>> {
  const { rows } = await tx.query<{ position: number }>(
    statement(
      'find-attested-links',
      sql`
        select position
        from ${rowsOf('reported', links, {
          tenant_id: ['bigint', ({ tenantId }) => tenantId],
          id: ['bigint', ({ sentId }) => sentId],
          network_id: ['text', ({ networkId }) => networkId],
          position: ['int', (_, index) => index],
        })}
        cross join lateral (
          select from messages
          where messages.tenant_id = reported.tenant_id
            and messages.id = coalesce(reported.id, (
              select state.message_id from message_states as state
              where state.tenant_id = reported.tenant_id and ${hasNetworkId(sql`reported.network_id`)}))
            and ${notErased}
          limit 1
        ) as sent`,
    ),
  );
  return new Set(rows.map(({ position }) => links[position]!));
}
