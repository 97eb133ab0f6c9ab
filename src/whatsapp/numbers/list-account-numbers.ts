import { type Access, type Graph, type LookUp, readLookUp } from '../graph.ts';
import { type Json, plainId, record, shortText, string } from '../json.ts';
import { readAddresses } from './subscriptions.ts';

/** A number as the network lists it. */
export type AccountNumber = {
  phoneNumberId: string;
  businessAccountId: string;
  displayPhoneNumber: string | null;
  verifiedName: string | null;
  /** Its own address for callbacks; null if it has none, or if that was not requested. */
  address: string | null;
};

/** A portfolio has at most 20 numbers unless Meta raises its limit. */
const pageSize = 100;
const maxPages = 10;

/**
 * Lists the numbers of a business account, at most a thousand.
 *
 * @param withAddresses whether to request their own addresses for callbacks too, which not every version may know
 */
export async function listAccountNumbers(
  graph: Graph,
  access: Access,
  businessAccountId: string,
  { withAddresses = false }: { withAddresses?: boolean } = {},
): Promise<LookUp<AccountNumber[]>> {
  const found: AccountNumber[] = [];
  let after = '';
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({
      fields: `id,display_phone_number,verified_name${withAddresses ? ',webhook_configuration' : ''}`,
      limit: String(pageSize),
      ...(after && { after }),
    });
    const path = `/${encodeURIComponent(businessAccountId)}/phone_numbers?${query}`;
    const listed = readLookUp(await graph.call(access, 'GET', path), readPage);
    if (listed.outcome !== 'found') return listed;
    const { numbers, next } = listed.value;
    found.push(...numbers.map((number) => ({ ...number, businessAccountId })));
    if (!next || next === after) break;
    after = next;
  }
  return { outcome: 'found', value: found };
}

function readPage(body: Json) {
  if (!Array.isArray(body.data)) return undefined;
  const numbers = body.data.map(record).flatMap((entry) => {
    const phoneNumberId = plainId(entry?.id);
    if (!phoneNumberId) return [];
    return {
      phoneNumberId,
      displayPhoneNumber: shortText(entry?.display_phone_number),
      verifiedName: shortText(entry?.verified_name),
      address: readAddresses(entry ?? {}).number,
    };
  });
  const paging = record(body.paging);
  // The last page has a cursor too; only `next` shows that there is another page.
  const next = paging?.next ? string(record(paging.cursors)?.after) : undefined;
  return { numbers, next };
}
