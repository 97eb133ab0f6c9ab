import { Check, CheckCheck, CircleAlert, CircleHelp, Clock } from 'lucide-react';
import { Tip } from '../parts/overlays/tip.tsx';
import type { Tick } from './message-view.ts';

const looks = {
  sending: { icon: Clock, color: 'text-muted' },
  unknown: { icon: CircleHelp, color: 'text-warn' },
  sent: { icon: Check, color: 'text-muted' },
  delivered: { icon: CheckCheck, color: 'text-muted' },
  read: { icon: CheckCheck, color: 'text-read' },
  failed: { icon: CircleAlert, color: 'text-bad' },
};

/** The status of a message: one tick is sent, two are delivered, two in colour are read. */
export function Ticks(tick: Tick) {
  return (
    <Tip words={tick.words}>
      <span className="inline-flex shrink-0">
        <TickIcon {...tick} />
      </span>
    </Tip>
  );
}

/** The ticks without a tip, for places that have their own. */
export function TickIcon({ step, words }: Tick) {
  const { icon: Icon, color } = looks[step];
  return (
    <>
      <Icon className={`size-4 shrink-0 ${color}`} aria-hidden />
      <span className="sr-only">{words}</span>
    </>
  );
}
