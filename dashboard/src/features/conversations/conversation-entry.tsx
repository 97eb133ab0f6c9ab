import { Link } from '@tanstack/react-router';
import type {
  ConversationData,
  MessageData,
} from '../../../../src/messages/conversations/dashboard-schema.ts';
import { formatDayHeading, formatTime } from '../../format.ts';
import { useTenant } from '../../session.ts';
import { Ticks } from './ticks.tsx';
import { wordsOf } from './words-of.ts';

export function ConversationEntry({ conversation }: { conversation: ConversationData }) {
  const { slug } = useTenant();
  const { phone, name, last } = conversation;
  const day = formatDayHeading(last.created_at);
  return (
    <Link
      to="/t/$tenant/conversations"
      params={{ tenant: slug }}
      search={{ phone }}
      activeOptions={{ includeSearch: true }}
      className="block rounded-lg px-3 py-2.5 hover:bg-sunken aria-[current=page]:bg-accent-soft"
    >
      <span className="flex items-baseline justify-between gap-2">
        <span dir="auto" className="truncate font-medium">
          {name ?? phone}
        </span>
        <time dateTime={last.created_at} className="shrink-0 text-xs text-muted">
          {day === 'Today' ? formatTime(last.created_at) : day}
        </time>
      </span>
      <span className="flex items-center gap-1.5 text-sm text-muted">
        {last.direction === 'out' && <Ticks message={last} />}
        <span dir="auto" className="truncate">
          {summaryOf(last)}
        </span>
      </span>
    </Link>
  );
}

/** A message in one line. */
function summaryOf(message: MessageData): string {
  const { text, body, caption, filename } = message.content;
  return text ?? body ?? caption ?? filename ?? wordsOf(message);
}
