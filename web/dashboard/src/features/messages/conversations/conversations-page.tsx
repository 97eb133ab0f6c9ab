import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MessagesSquare, PenLine } from 'lucide-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import { useFocusOnEntry } from '../../../../../parts/behaviour/use-narrow-focus.ts';
import { IconButton } from '../../../../../parts/buttons/button.tsx';
import { SearchField } from '../../../../../parts/fields/search-field.tsx';
import { EmptyState, Skeleton } from '../../../../../parts/page/page.tsx';
import { Title } from '../../../../../parts/page/title.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
import { Loaded } from '../../../api/loaded.tsx';
import { More } from '../../../api/more.tsx';
import { useTenant } from '../../../session.ts';
import { usePageCommand } from '../../../shell/commands/page-commands.ts';
import { earlyPart } from '../../../shell/loading/early-part.tsx';
import { lazyPart } from '../../../shell/loading/lazy-part.tsx';
import { LongList } from '../../../shell/long-list.tsx';
import { ConversationEntry } from './conversation-entry.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { useLive, useLiveOptions } from './live/use-live.tsx';
import { NoConversations } from './no-conversations.tsx';
import { conversationsQuery, threadQuery } from './queries.ts';
import { type ConversationSearch, isNarrowed } from './search.ts';
import { useWalk } from './use-walk.ts';

/** The list is shown without it. */
const Thread = earlyPart(() => import('./thread/thread.tsx'), 'Thread');

const NewConversation = lazyPart(() => import('./new-conversation.tsx'), 'NewConversation');

/** All conversations at the left, one at the right; on a narrow screen either. */
export function ConversationsPage() {
  const { api } = useTenant();
  const filter: ConversationSearch = useSearch({ from: '/t/$tenant/conversations' });
  const navigate = useNavigate({ from: '/t/$tenant/conversations' });
  const { phone } = filter;
  const [writing, setWriting] = useState(false);
  const { q: search = '' } = filter;
  const setSearch = (q: string) =>
    void navigate({ search: { ...filter, q: q || undefined }, replace: true });
  const scroller = useRef<HTMLDivElement>(null);
  const isLive = useLive();
  const list = useInfiniteQuery({
    ...conversationsQuery(api, filter),
    placeholderData: keepPreviousData,
    ...useLiveOptions(),
  });
  const pages = list.data?.pages;
  const conversations = useMemo(() => pages?.flatMap((page) => page.conversations) ?? [], [pages]);
  const hasMoreFound = search !== '' && pages?.[0]?.more;
  const isEmpty = list.data && !list.isPlaceholderData && conversations.length === 0;
  const isFiltered = filter.view !== undefined || isNarrowed(filter);
  const isFresh = isEmpty && !search && !isFiltered;
  usePageCommand('new-message', () => setWriting(true));
  const open = (to: string | undefined) => void navigate({ search: { ...filter, phone: to } });
  const shownPhone = useShownPhone(phone);
  useWalk(conversations, shownPhone, open, scroller);
  useFocusOnEntry(shownPhone, scroller);
  const showFilter = (to: ConversationSearch) => void navigate({ search: to });

  return (
    <div className="flex h-[calc(100dvh-3.5rem)] lg:h-dvh print:block print:h-auto [@media(max-height:30rem)]:has-[[role=log]]:h-dvh">
      {!phone && <Title>{t('title')}</Title>}
      {/* On a narrow screen the list with its heading is hidden while a conversation is open. */}
      {phone && <h1 className="sr-only lg:hidden print:hidden">{t('title')}</h1>}
      <section
        aria-label={t('listLabel')}
        className={`w-full flex-col border-r border-line lg:flex lg:w-80 lg:shrink-0 ${phone ? 'hidden print:hidden' : 'flex print:w-full'}`}
      >
        <header className="flex items-center justify-between px-4 pb-2 pt-5">
          <div>
            <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
            <p className="flex items-center gap-1.5 text-xs text-muted" aria-live="polite">
              <span
                className={`size-2 rounded-full ${isLive ? 'bg-good' : 'bg-line-strong'}`}
                aria-hidden
              />
              {isLive ? t('live') : t('notLive')}
            </p>
          </div>
          <IconButton label={t('newMessage')} onClick={() => setWriting(true)}>
            <PenLine className="size-5" aria-hidden />
          </IconButton>
        </header>
        {!isFresh && (
          <search className="px-4 pb-2">
            <SearchField
              label={t('searchLabel')}
              placeholder={t('searchPlaceholder')}
              value={search}
              onSearch={setSearch}
            />
          </search>
        )}
        {/* A search finds in all conversations. */}
        {!isFresh && !search && <InboxFilters search={filter} onChange={showFilter} />}
        <p className="sr-only" role="status">
          {search &&
            list.data &&
            !list.isPlaceholderData &&
            t('found', { count: conversations.length })}
        </p>
        <div
          ref={scroller}
          className="min-h-40 grow overflow-y-auto px-2 pb-4"
          // It scrolls, so a keyboard must reach it.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
        >
          <Loaded
            query={list}
            lines={8}
            inset="p-2"
            isEmpty={conversations.length === 0}
            empty={
              list.hasNextPage ? (
                <p className="p-2 pt-6 text-center text-muted">{t('notYet')}</p>
              ) : (
                <NoConversations
                  search={filter}
                  isSearching={search !== ''}
                  onClearSearch={() => setSearch('')}
                  onShowAll={() => showFilter({ phone })}
                  onWrite={() => setWriting(true)}
                />
              )
            }
          >
            {() => (
              <LongList
                items={conversations}
                keyOf={(conversation) => conversation.phone}
                isOpen={(conversation) => conversation.phone === shownPhone}
                scroller={scroller}
              >
                {(conversation) => (
                  <ConversationEntry
                    conversation={conversation}
                    isOpen={conversation.phone === shownPhone}
                  />
                )}
              </LongList>
            )}
          </Loaded>
          {hasMoreFound && (
            <p className="p-2 text-sm text-muted">
              {t('moreFound', { count: conversations.length })}
            </p>
          )}
          <More
            query={list}
            className="p-2"
            label={conversations.length === 0 ? t('searchOn') : undefined}
            wide
          />
        </div>
      </section>
      <section
        aria-label={t('thread')}
        className={`min-w-0 grow flex-col ${phone ? 'flex' : 'hidden lg:flex print:hidden'}`}
      >
        {phone ? (
          <Thread
            key={phone}
            phone={phone}
            fallback={
              <div className="p-5">
                <Skeleton lines={6} />
              </div>
            }
          />
        ) : (
          !isFresh && (
            <div className="m-auto">
              <EmptyState icon={MessagesSquare} title={t('chooseTitle')}>
                {t('chooseText')}
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
              open(to);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Returns the phone under which the open conversation is in the list. The address can have another identity of the
 * person, such as the user id from before the phone was known.
 */
function useShownPhone(phone: string | undefined): string | undefined {
  const { api } = useTenant();
  const { data: shown } = useInfiniteQuery({
    ...threadQuery(api, phone ?? ''),
    select: ({ pages }) => pages[0]?.shown_phone,
    enabled: false,
  });
  return phone && (shown ?? phone);
}
