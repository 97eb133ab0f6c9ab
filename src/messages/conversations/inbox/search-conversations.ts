import { findPhones, findPhonesAmong } from '../../../contacts/searching/find-phones.ts';
import type { Db } from '../../../platform/database/database.ts';
import { readWrittenPhone } from '../../../platform/values/phones/written-phone.ts';
import type { Conversation } from '../conversation-queries.ts';
import { listConversations } from './list-conversations.ts';
import { findConversations, findPersonsByPhone } from './search-queries.ts';

const maxShown = 50;
/** Maximum number of contacts, and of phones, that are checked for a conversation. */
const maxChecked = 1_000;
const maxRecentChecked = 100;

/**
 * Finds conversations of contacts whose name, phone or email contains a text, and of phones that begin
 * with its digits, with or without a contact. The one with the newest message comes first.
 *
 * If too many contacts or phones match, the first thousand and the latest conversations are searched.
 *
 * @param search not empty
 * @returns up to 50 conversations, and whether there may be more
 */
export async function searchConversations(
  db: Db,
  tenantId: number,
  search: string,
): Promise<{ found: Conversation[]; more: boolean }> {
  const prefix = phonePrefixOf(search);
  const [phones, persons] = await Promise.all([
    findPhones(db, tenantId, search, maxChecked),
    prefix ? findPersonsByPhone(db, tenantId, prefix, maxChecked) : [],
  ]);
  const isCommon = phones.length === maxChecked || persons.length === maxChecked;
  const recent = isCommon ? await findRecent(db, tenantId, search, prefix) : [];
  const found = await findConversations(
    db,
    tenantId,
    { phones: [...phones, ...recent], persons },
    maxShown + 1,
  );
  return {
    found: found.slice(0, maxShown),
    more: isCommon || found.length > maxShown,
  };
}

async function findRecent(
  db: Db,
  tenantId: number,
  search: string,
  prefix: string | undefined,
): Promise<string[]> {
  const recent = await listConversations(db, tenantId, { limit: maxRecentChecked });
  const phones = recent.map(({ phone }) => phone);
  const matching = phones.filter((phone) => prefix && phone.startsWith(prefix));
  return [...matching, ...(await findPhonesAmong(db, tenantId, search, phones))];
}

/** Normalizes the beginning of a phone as stored phones are. Returns undefined if the text is something else. */
function phonePrefixOf(search: string): string | undefined {
  const digits = readWrittenPhone(search).replace(/^\+/, '');
  return /^[1-9]\d{0,14}$/.test(digits) ? `+${digits}` : undefined;
}
