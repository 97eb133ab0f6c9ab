import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command as Cmdk } from 'cmdk';
import { Contact, type LucideIcon, MessageSquareText, MessagesSquare } from 'lucide-react';
import { usePaused } from '../../../../parts/behaviour/use-paused.ts';
import { Found, FoundGroup } from '../../../../parts/fields/found.tsx';
import { rankWords } from '../../../../parts/fields/rank-words.ts';
import { common } from '../../../../texts/common.ts';
import { shell } from '../../../../texts/shell.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { nameOf } from '../../features/contacts/name-of.ts';
import { wantedText } from '../../features/contacts/search.ts';
import { recipientOf } from '../../features/messages/conversations/identity.ts';
import { conversationsQuery } from '../../features/messages/conversations/queries.ts';
import { messagesQuery } from '../../features/messages/queries.ts';
import { useTenant } from '../../session.ts';

const minLength = 2;
const maxFound = 5;
const prefix = 'found ';

/** Entries that the service has found stay, whatever their words are: it also searches phones and emails. */
export const isFoundByService = (value: string): boolean => value.startsWith(prefix);

/** `key` is what the page opens or searches for. `detail` distinguishes entries with the same words. */
type Entry = { key: string; words: string; detail: string };

/**
 * The conversations and contacts that match, and messages with this reference, a moment after the last key. If the palette
 * has nothing to show, it says why.
 */
export function FoundPeople({ typed, onClose }: { typed: string; onClose: () => void }) {
  const { api, slug: tenant } = useTenant();
  const navigate = useNavigate();
  const wanted = typed.trim();
  const search = usePaused(wanted);
  const isEnabled = search.length >= minLength;
  const options = { enabled: isEnabled, placeholderData: keepPreviousData };
  const contacts = useQuery({
    ...api.asked('/contacts', { query: { search: wantedText({ q: search }), per_page: maxFound } }),
    ...options,
  });
  // In parts, as on the page: live events change both.
  const conversations = useInfiniteQuery({ ...conversationsQuery(api, { q: search }), ...options });
  const messages = useInfiniteQuery({ ...messagesQuery(api, { reference: search }), ...options });
  if (wanted.length < minLength) return <Nothing words={common('nothingFound')} />;
  // The first entry that comes is the one that Enter opens, and this should be the conversation.
  if (!isEnabled || contacts.isPending || conversations.isPending)
    return <Nothing words={common('loading')} />;
  const queries = [contacts, conversations, messages];
  const isCurrent =
    search === wanted && queries.every(({ isPlaceholderData }) => !isPlaceholderData);
  /** Until the response comes, Enter must not open what was found for fewer letters and does not match any more. */
  const matching = (entries: Entry[]) =>
    isCurrent
      ? entries
      : entries.filter(({ words, detail }) => rankWords(`${words} ${detail}`, wanted) > 0);
  const error = queries.find((each) => each.error)?.error;
  const people = (contacts.data ?? []).map((each) => ({
    key: String(each.id),
    words: nameOf(each),
    detail: each.phone ?? each.username ?? '',
  }));
  const talks = (conversations.data?.pages[0]?.conversations ?? [])
    .slice(0, maxFound)
    .map(({ phone, name }) => ({
      key: phone,
      words: name ?? recipientOf(phone),
      detail: name ? recipientOf(phone) : '',
    }));
  const reference = messages.data?.pages[0]?.entries[0]?.reference;
  return (
    <>
      <Entries
        heading={shell('nav.conversations')}
        icon={MessagesSquare}
        entries={matching(talks)}
        onChoose={(phone) => {
          onClose();
          void navigate({ to: '/t/$tenant/conversations', params: { tenant }, search: { phone } });
        }}
      />
      <Entries
        heading={shell('nav.contacts')}
        icon={Contact}
        entries={matching(people)}
        onChoose={(id) => {
          onClose();
          const contact = Number(id);
          void navigate({ to: '/t/$tenant/contacts', params: { tenant }, search: { contact } });
        }}
      />
      <Entries
        heading={shell('nav.messages')}
        icon={MessageSquareText}
        entries={matching(reference ? [{ key: reference, words: reference, detail: '' }] : [])}
        onChoose={(reference) => {
          onClose();
          void navigate({ to: '/t/$tenant/messages', params: { tenant }, search: { reference } });
        }}
      />
      {error ? (
        <Cmdk.Empty>
          <LoadProblem error={error} />
        </Cmdk.Empty>
      ) : (
        <Nothing words={common(isCurrent ? 'nothingFound' : 'loading')} />
      )}
    </>
  );
}

/** Shown if nothing in the palette matches. */
function Nothing({ words }: { words: string }) {
  return <Cmdk.Empty className="px-2.5 py-2 text-muted">{words}</Cmdk.Empty>;
}

function Entries({
  heading,
  icon: Icon,
  entries,
  onChoose,
}: {
  heading: string;
  icon: LucideIcon;
  entries: Entry[];
  onChoose: (key: string) => void;
}) {
  if (entries.length === 0) return null;
  return (
    <FoundGroup heading={heading}>
      {entries.map(({ key, words, detail }) => (
        <Found
          key={key}
          value={`${prefix}${heading} ${key}`}
          words={words}
          before={<Icon className="size-4 shrink-0 text-muted" aria-hidden />}
          onChoose={() => onChoose(key)}
        >
          {detail && <span className="figures text-sm text-muted">{detail}</span>}
        </Found>
      ))}
    </FoundGroup>
  );
}
