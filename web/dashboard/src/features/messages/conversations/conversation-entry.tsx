import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { memo } from 'react';
import { oneLine } from '../../../../../message/one-line.ts';
import { Ticks } from '../../../../../message/ticks.tsx';
import { useTime } from '../../../../../parts/behaviour/use-time.ts';
import { Badge } from '../../../../../parts/page/badge.tsx';
import { Count } from '../../../../../parts/page/count.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
import { formatTimeOrDay, formatToday } from '../../../../../texts/format.ts';
import type { ConversationData } from '../../../api/records.ts';
import { useTenant } from '../../../session.ts';
import { useMemberNames } from '../../members/use-members.ts';
import { recipientOf } from './identity.ts';
import { useDraft } from './sending/use-draft.ts';
import { useSending } from './sending/use-sending.ts';
import { tickOf, viewOf } from './thread/message-view.ts';

/**
 * A conversation in the list: its latest message, or what is written to the person and not sent yet. Drawn again only
 * if it changes, because each live event changes the list.
 *
 * @param isOpen whether it is open beside the list, where one sees what is written
 */
export const ConversationEntry = memo(function ConversationEntry({
  conversation,
  isOpen,
}: {
  conversation: ConversationData;
  isOpen: boolean;
}) {
  const { slug, api } = useTenant();
  useTime(formatToday);
  const { person, phone, name, last, unread, is_open, assignee } = conversation;
  const view = viewOf(last, {
    mediaAddress: (id) => api.address('/conversation/media/{id}', { path: { id } }),
  });
  const members = useMemberNames();
  const member = members?.find(({ user_id }) => user_id === assignee);
  const isOfColleague = members !== undefined && assignee !== null && !member?.is_you;
  // A notification by a program opens no conversation, so nobody has closed it.
  const isNotification =
    last.direction === 'out' && last.cause !== 'member' && last.cause !== 'app';
  const isClosed = !is_open && !isNotification;
  const [draft] = useDraft(person);
  const texts = useSending(person);
  const sending = isOpen ? undefined : texts.findLast(({ messageId }) => !messageId);
  const isDraft = draft.trim() !== '' && !isOpen && !sending;
  const tick = sending ? tickOf('accepting') : view.tick;
  return (
    <Link
      from="/t/$tenant/conversations"
      to="/t/$tenant/conversations"
      params={{ tenant: slug }}
      search={(filter) => ({ ...filter, phone })}
      activeOptions={{ includeSearch: true }}
      // The address may have another identity of the person.
      aria-current={isOpen ? 'page' : undefined}
      data-phone={phone}
      className="block rounded-lg px-3 py-2.5 hover:bg-sunken aria-[current=page]:bg-accent-soft"
    >
      <span className="flex items-baseline justify-between gap-2">
        <span dir="auto" className={`truncate ${unread > 0 ? 'font-bold' : 'font-medium'}`}>
          {name ?? recipientOf(phone)}
        </span>
        <time dateTime={last.created_at} className="shrink-0 text-xs text-muted">
          {formatTimeOrDay(last.created_at)}
        </time>
      </span>
      <span className="flex items-center gap-1.5 text-sm text-muted">
        {isDraft && <span className="shrink-0 font-medium text-warn">{t('draft')}</span>}
        {!isDraft && tick && <Ticks {...tick} />}
        <span dir="auto" className={`grow truncate ${unread > 0 ? 'font-medium text-ink' : ''}`}>
          {isDraft ? draft : (sending?.text ?? oneLine(view))}
        </span>
        {isClosed && <Badge>{t('isClosed')}</Badge>}
        {unread > 0 && <Count count={unread} words={t('unread', { count: unread })} />}
      </span>
      {isOfColleague && (
        <span className="flex items-center gap-1 text-xs text-muted">
          <UserRound className="size-3 shrink-0" aria-hidden />
          <span className="sr-only">{t('assignedTo')}</span>
          <span dir="auto" className="truncate">
            {member?.name ?? t('member')}
          </span>
        </span>
      )}
    </Link>
  );
});
