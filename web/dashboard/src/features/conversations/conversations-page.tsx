import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MessagesSquare, PenLine } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button, IconButton } from '../../../../parts/button.tsx';
import { EmptyState, Skeleton } from '../../../../parts/page.tsx';
import { SearchField } from '../../../../parts/search-field.tsx';
import { Title } from '../../../../parts/title.tsx';
import { conversations as texts } from '../../../../texts/conversations.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useTenant } from '../../session.ts';
import { lazyPart } from '../../shell/lazy-part.ts';
import { ConversationEntry } from './conversation-entry.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { NoConversations } from './no-conversations.tsx';
import { conversationsQuery } from './queries.ts';
import { type ConversationSearch, isNarrowed } from './search.ts';
import { Thread } from './thread.tsx';
import { useLive, useLiveOptions } from './use-live.tsx';

const NewConversation = lazyPart(() => import('./new-conversation.tsx'), 'NewConversation');

/** All conversations at the left, one at the right; on a narrow screen either. */
export function ConversationsPage() {
  const { api } = useTenant();
  const filter: ConversationSearch = useSearch({ from: '/t/$tenant/conversations' });
  const navigate = useNavigate({ from: '/t/$tenant/conversations' });
  const { phone } = filter;
  const [writing, setWriting] = useState(false);
  const [search, setSearch] = useState('');
  const isLive = useLive();
  const list = useInfiniteQuery({
    ...conversationsQuery(api, filter, search),
    placeholderData: keepPreviousData,
    ...useLiveOptions(),
  });
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  const hasMoreFound = search !== '' && list.data?.pages[0]?.more;
  const isEmpty = list.data && !list.isPlaceholderData && conversations.length === 0;
  const isFiltered = filter.view !== undefined || isNarrowed(filter);
  const isFresh = isEmpty && !search && !isFiltered;
  const showFilter = (to: ConversationSearch) => void navigate({ search: to });

  return (
    <div className="flex h-[calc(100dvh-3.5rem)] lg:h-dvh print:block print:h-auto">
      <Title>{texts.title}</Title>
      <section
        aria-label={texts.listLabel}
        className={`w-full flex-col border-r border-line lg:flex lg:w-80 lg:shrink-0 ${phone ? 'hidden print:hidden' : 'flex print:w-full'}`}
      >
        <header className="flex items-center justify-between px-4 pb-2 pt-5">
          <div>
            <h1 className="text-xl font-semibold tracking-tight">{texts.title}</h1>
            <p className="flex items-center gap-1.5 text-xs text-muted" aria-live="polite">
              <span
                className={`size-2 rounded-full ${isLive ? 'bg-good' : 'bg-line-strong'}`}
                aria-hidden
              />
              {isLive ? texts.live : texts.notLive}
            </p>
          </div>
          <IconButton label={texts.newMessage} onClick={() => setWriting(true)}>
            <PenLine className="size-5" aria-hidden />
          </IconButton>
        </header>
        {!isFresh && (
          <search className="px-4 pb-2">
            <SearchField
              label={texts.searchLabel}
              placeholder={texts.searchPlaceholder}
              value={search}
              onSearch={setSearch}
            />
          </search>
        )}
        {/* A search finds in all conversations. */}
        {!isFresh && !search && <InboxFilters search={filter} onChange={showFilter} />}
        <p className="sr-only" role="status">
          {search && list.data && !list.isPlaceholderData && texts.found(conversations.length)}
        </p>
        {list.error ? (
          <div className="p-4">
            <LoadProblem error={list.error} />
          </div>
        ) : !list.data || (list.isPlaceholderData && conversations.length === 0) ? (
          <div className="p-4">
            <Skeleton lines={8} />
          </div>
        ) : isEmpty ? (
          <NoConversations
            search={filter}
            isSearching={search !== ''}
            onClearSearch={() => setSearch('')}
            onShowAll={() => showFilter({ phone })}
            onWrite={() => setWriting(true)}
          />
        ) : (
          <ul
            className={`min-h-0 grow overflow-y-auto px-2 pb-4 ${list.isPlaceholderData ? 'opacity-60' : ''}`}
          >
            {conversations.map((conversation) => (
              <li key={conversation.phone}>
                <ConversationEntry conversation={conversation} />
              </li>
            ))}
            {hasMoreFound && (
              <li className="p-2 text-sm text-muted">{texts.moreFound(conversations.length)}</li>
            )}
            {list.hasNextPage && (
              <li className="p-2">
                <Button
                  small
                  busy={list.isFetchingNextPage}
                  onClick={() => list.fetchNextPage()}
                  className="w-full"
                >
                  {texts.moreConversations}
                </Button>
              </li>
            )}
          </ul>
        )}
      </section>
      <section
        aria-label={texts.thread}
        className={`min-w-0 grow flex-col ${phone ? 'flex' : 'hidden lg:flex print:hidden'}`}
      >
        {phone ? (
          <Thread key={phone} phone={phone} />
        ) : (
          !isFresh && (
            <div className="m-auto">
              <EmptyState icon={MessagesSquare} title={texts.chooseTitle}>
                {texts.chooseText}
              </EmptyState>
            </div>
          )
        )}
      </section>
      {writing && (
        <Suspense fallback={null}>
          <NewConversation
            onClose={() => setWriting(false)}
            onOpen={(to) => {
              setWriting(false);
              void navigate({ search: { ...filter, phone: to } });
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
