import { Check, CheckCheck, CircleAlert, CircleHelp, Clock } from 'lucide-react';
import { conversations as texts } from '../../../../texts/conversations.ts';
import type { MessageData } from '../../api/records.ts';

const looks = {
  accepting: { icon: Clock, color: 'text-muted' },
  unknown: { icon: CircleHelp, color: 'text-warn' },
  sent: { icon: Check, color: 'text-muted' },
  delivered: { icon: CheckCheck, color: 'text-muted' },
  read: { icon: CheckCheck, color: 'text-accent' },
  failed: { icon: CircleAlert, color: 'text-bad' },
  received: { icon: Check, color: 'text-muted' },
};

/** How far a message has come: one tick sent, two delivered, two in colour read. */
export function Ticks({ message: { status } }: { message: Pick<MessageData, 'status'> }) {
  const { icon: Icon, color } = looks[status];
  const words = texts.states[status];
  return (
    <span title={words} className="inline-flex shrink-0">
      <Icon className={`size-4 ${color}`} aria-hidden />
      <span className="sr-only">{words}</span>
    </span>
  );
}
