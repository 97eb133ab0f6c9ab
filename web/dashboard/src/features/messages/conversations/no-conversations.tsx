import { Inbox, MailCheck, MessagesSquare, SearchX, UserCheck } from 'lucide-react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { EmptyState } from '../../../../../parts/page/page.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
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
    const action = <Button onClick={onClearSearch}>{t('clearSearch')}</Button>;
    return (
      <EmptyState icon={SearchX} title={t('nothingTitle')} action={action}>
        {t('nothingText', { search: search.q ?? '' })}
      </EmptyState>
    );
  }
  const showAll = <Button onClick={onShowAll}>{t('showAll')}</Button>;
  if (isNarrowed(search)) {
    return (
      <EmptyState icon={SearchX} title={t('noMatchTitle')} action={showAll}>
        {t('noMatchText')}
      </EmptyState>
    );
  }
  if (search.view) {
    return (
      <EmptyState
        icon={viewIcons[search.view]}
        title={t(`emptyViews.${search.view}.title`)}
        action={showAll}
      >
        {t(`emptyViews.${search.view}.text`)}
      </EmptyState>
    );
  }
  const write = (
    <Button look="primary" onClick={onWrite}>
      {t('newMessage')}
    </Button>
  );
  return (
    <EmptyState icon={MessagesSquare} title={t('emptyTitle')} action={write}>
      {t('emptyText')}
    </EmptyState>
  );
}
