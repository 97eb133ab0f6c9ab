import { ArrowLeft, Power, SlidersHorizontal } from 'lucide-react';
import { useRef } from 'react';
import type { PhoneSummary } from '../../../../src/simulator/types.ts';
import { useFocusOnHeading } from '../../../parts/behaviour/use-narrow-focus.ts';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { behaviour as behaviourTexts, phone as t } from '../../../texts/phone.ts';
import { listAddress } from '../address.ts';
import { switchPhone } from '../network.ts';
import { useStore } from '../store.ts';

/** The top of the open phone: its owner, whether it is on, and the behaviour of the network towards it. */
export function StatusBar({
  phone: { phone, name, on },
  isTuning,
  onTune,
}: {
  phone: PhoneSummary;
  isTuning: boolean;
  onTune: () => void;
}) {
  const { rules } = useStore();
  const heading = useRef<HTMLHeadingElement>(null);
  const back = useRef<HTMLAnchorElement>(null);
  useFocusOnHeading(heading, back);
  const isChanged = rules.some((rule) => rule.phone === phone);
  const tune = isChanged ? behaviourTexts('openChanged') : behaviourTexts('open');
  const number = `+${phone}`;
  return (
    <header className="flex min-h-14 items-center gap-2 bg-band pl-2 pr-3 text-on-band md:pl-5">
      <a
        ref={back}
        href={listAddress}
        aria-label={t('back')}
        title={t('back')}
        className="on-band md:hidden"
      >
        <ArrowLeft className="size-5" aria-hidden />
      </a>
      <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-2">
        <h2
          ref={heading}
          tabIndex={-1}
          dir="auto"
          className="truncate text-lg font-semibold text-white outline-none"
        >
          {name}
        </h2>
        {name !== number && <p className="figures text-sm">{number}</p>}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-label={t('power')}
        title={on ? t('switchOff') : t('switchOn')}
        className={`on-band ${on ? 'text-(--is-on)' : 'bg-white/15'}`}
        onClick={() => switchPhone(phone, !on).catch(showProblem)}
      >
        <Power className="size-5" aria-hidden />
      </button>
      <button
        type="button"
        id="tune"
        aria-expanded={isTuning}
        aria-label={tune}
        title={tune}
        className="on-band relative"
        onClick={onTune}
      >
        <SlidersHorizontal className="size-5" aria-hidden />
        {isChanged && (
          <span className="absolute right-1.5 top-1.5 size-2.5 rounded-full border-2 border-band bg-(--is-changed)" />
        )}
      </button>
    </header>
  );
}
