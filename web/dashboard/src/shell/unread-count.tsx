import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSettled } from '../../../parts/behaviour/use-settled.ts';
import { Count, shortCount } from '../../../parts/page/count.tsx';
import { TitleCount } from '../../../parts/page/title.tsx';
import { shell } from '../../../texts/shell.ts';
import { useTenant } from '../session.ts';

/** The id of the element that has the count in words, to describe the link to the conversations. */
export const unreadWordsId = 'unread-conversations';

/** How many conversations have unread messages; 0 until that is known. Live events keep it up to date. */
function useUnreadCount(): number {
  const { api } = useTenant();
  return useQuery(api.asked('/conversations/unread')).data?.count ?? 0;
}

/** Adds the number of unread conversations to the titles of the pages in it, and announces changes to screen readers. */
export function UnreadCount({ children }: { children: ReactNode }) {
  const count = useUnreadCount();
  const words = count > 0 ? shortCount(count) : '';
  // A message of the open conversation is read at once.
  const lasting = useSettled(words, 2_000);
  return (
    <TitleCount value={words}>
      <p id={unreadWordsId} className="sr-only" role="status">
        {lasting && shell('unreadConversations', { count: lasting })}
      </p>
      {children}
    </TitleCount>
  );
}

/** The count in the navigation, or, without its number, on the button of a navigation that is closed. */
export function UnreadMark({ isDot = false }: { isDot?: boolean }) {
  const count = useUnreadCount();
  if (count === 0) return null;
  if (!isDot) return <Count count={count} />;
  return (
    <span
      className="absolute end-1.5 top-1.5 size-2.5 rounded-full bg-accent ring-2 ring-page forced-color-adjust-none"
      aria-hidden
    />
  );
}
