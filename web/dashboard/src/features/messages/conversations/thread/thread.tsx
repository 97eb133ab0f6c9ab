import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { MessageList } from '../../../../../../message/list/message-list.tsx';
import { NewBelow } from '../../../../../../message/list/new-below.tsx';
import { usePlace } from '../../../../../../message/list/use-place.ts';
import { useFocusOnHeading } from '../../../../../../parts/behaviour/use-narrow-focus.ts';
import { useSettled } from '../../../../../../parts/behaviour/use-settled.ts';
import { Button } from '../../../../../../parts/buttons/button.tsx';
import { LoadingDialog } from '../../../../../../parts/overlays/loading-dialog.tsx';
import { Skeleton } from '../../../../../../parts/page/page.tsx';
import { Title } from '../../../../../../parts/page/title.tsx';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import { LoadProblem } from '../../../../api/load-problem.tsx';
import { useTenant } from '../../../../session.ts';
import { lazyPart } from '../../../../shell/loading/lazy-part.tsx';
import { useColleagueNames } from '../../../members/use-members.ts';
import { recipientOf } from '../identity.ts';
import { useLiveOptions } from '../live/use-live.tsx';
import { threadQuery } from '../queries.ts';
import { Composer } from '../sending/composer.tsx';
import { SendingTexts } from '../sending/sending-texts.tsx';
import { type DrawnViews, viewsOf } from './message-view.ts';
import { ThreadActions } from './thread-actions.tsx';
import { useMarkRead } from './use-mark-read.ts';
import { useNumberNames } from './use-number-names.ts';

const OpenContact = lazyPart(
  () => import('../../../contacts/editing/open-contact.tsx'),
  'OpenContact',
);

/** The messages with one person, the newest at the bottom, and the composer below. */
export function Thread({ phone }: { phone: string }) {
  const { slug, api } = useTenant();
  const thread = useInfiniteQuery({
    ...threadQuery(api, phone),
    ...useLiveOptions(),
  });
  const newest = thread.data?.pages[0];
  // A process of the previous version, during an update, sends none.
  const shownPhone = newest?.shown_phone ?? phone;
  const [contact, setContact] = useState<number>();
  const closeContact = () => setContact(undefined);
  const isPhoneHidden = !shownPhone.startsWith('+');
  useMarkRead(newest);
  const messages = (thread.data?.pages.flatMap((page) => page.messages) ?? []).toReversed();
  const drawn = useRef<DrawnViews>(new WeakMap());
  const views = viewsOf(
    messages,
    {
      person: newest?.name ?? recipientOf(shownPhone),
      numberName: useNumberNames(),
      memberName: useColleagueNames(),
      mediaAddress: (id) => api.address('/conversation/media/{id}', { path: { id } }),
    },
    drawn.current,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const back = useRef<HTMLAnchorElement>(null);
  useFocusOnHeading(heading, back);
  // Earlier messages are not news, and would be read out all at once.
  const parts = thread.data?.pages.length ?? 0;
  const isLive = useSettled(parts, 1_000) === parts && !thread.isFetchingNextPage;
  const { log, content, onScroll, toEnd, hasNew } = usePlace(messages[0]?.id, messages.at(-1)?.id);

  return (
    <>
      <Title>{newest?.name ?? recipientOf(shownPhone)}</Title>
      <header className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-2.5 lg:px-5 min-h-15">
        <Link
          ref={back}
          from="/t/$tenant/conversations"
          to="/t/$tenant/conversations"
          params={{ tenant: slug }}
          search={(filter) => ({ ...filter, phone: undefined })}
          aria-label={t('back')}
          className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken lg:hidden print:hidden"
        >
          <ArrowLeft className="size-5" aria-hidden />
        </Link>
        <div className="min-w-32 flex-1">
          <h2
            ref={heading}
            tabIndex={-1}
            dir="auto"
            className="truncate text-left font-semibold leading-tight outline-none"
          >
            {newest?.name ?? recipientOf(shownPhone)}
          </h2>
          {newest?.name && <p className="figures text-sm text-muted">{recipientOf(shownPhone)}</p>}
        </div>
        {newest?.contact_id && (
          <Button small onClick={() => setContact(newest.contact_id!)}>
            {t('toContact')}
          </Button>
        )}
        {newest && newest.messages.length > 0 && (
          <div className="flex basis-full justify-end gap-2 sm:basis-auto print:hidden">
            <ThreadActions thread={newest} />
          </div>
        )}
      </header>
      <div
        ref={log}
        onScroll={onScroll}
        className="min-h-40 grow overflow-y-auto px-3 py-4 lg:px-5 print:overflow-visible"
        // It scrolls, so a keyboard must reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        role="log"
        aria-live={isLive ? 'polite' : 'off'}
        aria-label={t('thread')}
      >
        {thread.isPending && <Skeleton lines={6} />}
        {thread.data && (
          <div ref={content} className="flex min-h-full flex-col justify-end gap-1.5">
            {thread.hasNextPage && (
              <Button
                small
                busy={thread.isFetchingNextPage}
                onClick={() => thread.fetchNextPage()}
                className="mx-auto"
              >
                {t('older')}
              </Button>
            )}
            {messages.length === 0 && <p className="m-auto text-muted">{t('noMessages')}</p>}
            <div className="grid grid-cols-1 gap-1.5">
              <MessageList views={views} />
            </div>
            <SendingTexts person={newest!.person} messages={messages} onAdd={toEnd} />
          </div>
        )}
      </div>
      {hasNew && <NewBelow label={t('newBelow')} toEnd={toEnd} log={log} />}
      {thread.error && (
        <div className="p-3 lg:px-5">
          <LoadProblem error={thread.error} />
        </div>
      )}
      {newest && <Composer thread={newest} isPhoneHidden={isPhoneHidden} onSent={toEnd} />}
      {contact && (
        <Suspense fallback={<LoadingDialog onClose={closeContact} />}>
          <OpenContact id={contact} inConversation onClose={closeContact} />
        </Suspense>
      )}
    </>
  );
}
