import { findPhones, findPhonesAmong } from '../../contacts/searching/find-phones.ts';
import type { Db } from '../../platform/database/database.ts';
import { readWrittenPhone } from '../../platform/written-phone.ts';
import { type Conversation, listConversations } from './conversation-queries.ts';
import { findConversations, findPhonesWithMessages } from './search-queries.ts';

const mostShown = 50;
/** So many contacts, and so many phones, are looked at for whether they have a conversation. */
const mostLookedAt = 1_000;
const recentLookedAt = 100;

/**
 * Conversations of contacts whose name, phone or email holds a text, and of phones that begin with its
 * digits whether a contact has them or not; the one with the newest message first.
 *
 * Where a text is so common that not all who have it can be looked at, the latest conversations are,
 * besides the first thousand.
 *
 * @param search not empty
 * @returns at most 50, and whether there may be more
 */
export async function searchConversations(
  db: Db,
  tenantId: number,
  search: string,
): Promise<{ found: Conversation[]; more: boolean }> {
  const beginning = beginningOf(search);
  const [people, phones] = await Promise.all([
    findPhones(db, tenantId, search, mostLookedAt),
    beginning ? findPhonesWithMessages(db, tenantId, beginning, mostLookedAt) : [],
  ]);
  const isCommon = people.length === mostLookedAt || phones.length === mostLookedAt;
  const recent = isCommon ? await findRecent(db, tenantId, search, beginning) : [];
  const all = [...people, ...phones, ...recent];
  const found = await findConversations(db, tenantId, all, mostShown + 1);
  return {
    found: found.slice(0, mostShown),
    more: isCommon || found.length > mostShown,
  };
}

async function findRecent(
  db: Db,
  tenantId: number,
  search: string,
  beginning: string | undefined,
): Promise<string[]> {
  const recent = await listConversations(db, tenantId, { limit: recentLookedAt });
  const phones = recent.map(({ phone }) => phone);
  const begun = phones.filter((phone) => beginning && phone.startsWith(beginning));
  return [...begun, ...(await findPhonesAmong(db, tenantId, search, phones))];
}

/** What is typed of a phone, as phones are kept; undefined when it is something else. */
function beginningOf(search: string): string | undefined {
  const digits = readWrittenPhone(search).replace(/^\+/, '');
  return /^[1-9]\d{0,14}$/.test(digits) ? `+${digits}` : undefined;
}
