import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { MessageSquareText, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonLook } from '../../../../parts/buttons/button.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { rowLook } from '../../../../parts/page/row.tsx';
import { messages as t } from '../../../../texts/messages.ts';
import { Loaded } from '../../api/loaded.tsx';
import { More } from '../../api/more.tsx';
import { ResultStatus } from '../../api/result-status.tsx';
import { useTenant } from '../../session.ts';
import { LongList } from '../../shell/long-list.tsx';
import { usePolling } from './conversations/live/use-live.tsx';
import { MessageEntry } from './message-entry.tsx';
import { MessageFilter } from './message-filter.tsx';
import { messagesQuery } from './queries.ts';
import type { MessageSearch } from './search.ts';

/** All messages of the tenant. The address says which of them. */
export function MessagesPage() {
  const { api } = useTenant();
  const search: MessageSearch = useSearch({ from: '/t/$tenant/messages' });
  const navigate = useNavigate({ from: '/t/$tenant/messages' });
  const [open, setOpen] = useState<number>();
  const messages = useInfiniteQuery({
    ...messagesQuery(api, search),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(15_000),
  });
  const found = messages.data?.pages.flatMap((page) => page.entries) ?? [];

  function change(next: MessageSearch): void {
    void navigate({ search: next, replace: true, resetScroll: false });
  }

  return (
    <Page title={t('title')} intro={t('intro')} wide>
      <Card flush>
        <MessageFilter search={search} onChange={(part) => change({ ...search, ...part })} />
        <ResultStatus query={messages} filter={search} count={found.length} />
        <Loaded
          query={messages}
          lines={5}
          inset="p-5"
          isEmpty={found.length === 0}
          empty={
            messages.hasNextPage ? (
              <p className="px-5 pt-6 text-center text-muted">{t('notYet')}</p>
            ) : (
              <NoMessages isFiltered={isFiltered(search)} onClear={() => change({})} />
            )
          }
        >
          {() => (
            <LongList
              items={found}
              keyOf={({ id }) => id}
              isOpen={({ id }) => id === open}
              rowClass={rowLook}
            >
              {(message) => (
                <MessageEntry
                  message={message}
                  isOpen={message.id === open}
                  onOpen={(isOpen) => setOpen(isOpen ? message.id : undefined)}
                />
              )}
            </LongList>
          )}
        </Loaded>
        <More
          query={messages}
          label={found.length === 0 ? t('searchOn') : undefined}
          className={
            found.length === 0 ? 'flex justify-center p-5' : 'border-t border-line px-5 py-3'
          }
        />
      </Card>
    </Page>
  );
}

function NoMessages({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { slug } = useTenant();
  return isFiltered ? (
    <EmptyState
      icon={SearchX}
      title={t('nothingTitle')}
      action={<Button onClick={onClear}>{t('clear')}</Button>}
    >
      {t('nothingText')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={MessageSquareText}
      title={t('emptyTitle')}
      action={
        <Link to="/t/$tenant/numbers" params={{ tenant: slug }} className={buttonLook('primary')}>
          {t('toNumbers')}
        </Link>
      }
    >
      {t('emptyText')}
    </EmptyState>
  );
}

function isFiltered(search: MessageSearch): boolean {
  return Object.values(search).some((each) => each !== undefined);
}
