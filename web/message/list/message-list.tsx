import { useTime } from '../../parts/behaviour/use-time.ts';
import { formatDayHeading, formatToday } from '../../texts/format.ts';
import { Message } from '../message.tsx';
import type { MessageHandlers } from '../message-handlers.ts';
import type { MessageView } from '../message-view.ts';
import { DayHeading } from './day-heading.tsx';

const none: MessageHandlers = {};

/** The messages of a conversation, oldest first, with a heading for each day. */
export function MessageList({
  views,
  handlers = none,
  floatingDays,
}: {
  views: MessageView[];
  handlers?: MessageHandlers;
  /** Keeps the day of the messages in sight while they scroll. */
  floatingDays?: boolean;
}) {
  useTime(formatToday);
  let day: string | undefined;
  return views.map((view) => {
    const before = day;
    day = formatDayHeading(view.at);
    return (
      // Grouped by message, so that older messages can come above without new elements below.
      <div key={view.id} className="contents">
        {day !== before && <DayHeading day={day} isFloating={floatingDays} />}
        <Message view={view} handlers={handlers} />
      </div>
    );
  });
}
