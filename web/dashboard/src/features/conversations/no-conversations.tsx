import { Inbox, MailCheck, MessagesSquare, SearchX, UserCheck } from 'lucide-react';
import { Button } from '../../../../parts/button.tsx';
import { EmptyState } from '../../../../parts/page.tsx';
import { conversations as texts } from '../../../../texts/conversations.ts';
import { type ConversationSearch, isNarrowed } from './search.ts';

const viewIcons = { unread: MailCheck, unassigned: UserCheck, mine: Inbox };

/** Explains an empty list: nothing was found, the filter matches nothing, or there are no messages yet. */
export function NoConversations({
  search,
  isSearching,
  onClearSearch,
  onShowAll,
  onWrite,
}: {
  search: ConversationSearch;
  isSearching: boolean;
  onClearSearch: () => void;
  onShowAll: () => void;
  onWrite: () => void;
}) {
  if (isSearching) {
    const action = <Button onClick={onClearSearch}>{texts.clearSearch}</Button>;
    return (
      <EmptyState icon={SearchX} title={texts.nothingTitle} action={action}>
        {texts.nothingText}
      </EmptyState>
    );
  }
  const showAll = <Button onClick={onShowAll}>{texts.showAll}</Button>;
  if (isNarrowed(search)) {
    return (
      <EmptyState icon={SearchX} title={texts.noMatchTitle} action={showAll}>
        {texts.noMatchText}
      </EmptyState>
    );
  }
  if (search.view) {
    const { title, text } = texts.emptyViews[search.view];
    return (
      <EmptyState icon={viewIcons[search.view]} title={title} action={showAll}>
        {text}
      </EmptyState>
    );
  }
  const write = (
    <Button look="primary" onClick={onWrite}>
      {texts.newMessage}
    </Button>
  );
  return (
    <EmptyState icon={MessagesSquare} title={texts.emptyTitle} action={write}>
      {texts.emptyText}
    </EmptyState>
  );
}
