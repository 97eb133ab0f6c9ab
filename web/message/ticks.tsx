import { Check, CheckCheck, CircleAlert, CircleHelp, Clock } from 'lucide-react';
import type { Tick } from './message-view.ts';

const looks = {
  sending: { icon: Clock, color: 'text-muted' },
  unknown: { icon: CircleHelp, color: 'text-warn' },
  sent: { icon: Check, color: 'text-muted' },
  delivered: { icon: CheckCheck, color: 'text-muted' },
  read: { icon: CheckCheck, color: 'text-read' },
  failed: { icon: CircleAlert, color: 'text-bad' },
};

/** How far a message has come: one tick sent, two delivered, two in colour read. */
export function Ticks({ step, words }: Tick) {
  const { icon: Icon, color } = looks[step];
  return (
    <span title={words} className="inline-flex shrink-0">
      <Icon className={`size-4 ${color}`} aria-hidden />
      <span className="sr-only">{words}</span>
    </span>
  );
}
