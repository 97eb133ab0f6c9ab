import { Power } from 'lucide-react';
import type { PhoneSummary } from '../../../../src/simulator/types.ts';
import { useTime } from '../../../parts/behaviour/use-time.ts';
import { Count } from '../../../parts/page/count.tsx';
import { formatTimeOrDay, formatToday } from '../../../texts/format.ts';
import { phone as t } from '../../../texts/phone.ts';
import { addressOf } from '../address.ts';
import { Avatar } from '../avatar.tsx';
import { lineOf } from '../chat/message-view.ts';
import { startReading } from '../chat/use-reading.ts';

/** A phone in the list: its owner, its number, and its last message. */
export function PhoneRow({
  phone: { phone, name, on, unread, last },
  isOpen,
  isMarked,
}: {
  phone: PhoneSummary;
  isOpen: boolean;
  /** Whether a person has marked it as unread. */
  isMarked: boolean;
}) {
  const number = `+${phone}`;
  const isNew = unread > 0 || isMarked;
  return (
    <a
      href={addressOf(phone)}
      data-phone={phone}
      aria-current={isOpen ? 'page' : undefined}
      className="flex items-center gap-3 rounded-xl px-3 py-2 hover:bg-sunken aria-[current=page]:bg-accent-soft"
      onClick={() => startReading(phone)}
    >
      <span className={`relative ${on ? '' : 'opacity-60 grayscale'}`}>
        <Avatar name={name} seed={phone} />
        {!on && (
          <span className="absolute -bottom-1 -right-1 grid size-5 place-items-center rounded-full bg-band text-on-band">
            <Power className="size-3" aria-hidden />
          </span>
        )}
      </span>
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-2">
          <span className="flex min-w-0 items-baseline gap-2">
            <strong dir="auto" className="max-w-full shrink-0 truncate font-semibold">
              {name}
            </strong>
            {name !== number && (
              <span className="figures truncate text-xs text-muted">{number}</span>
            )}
          </span>
          {last && <LastTime at={last.at} />}
        </span>
        {!on && <span className="sr-only">, {t('isOff')}. </span>}
        <span className="flex min-h-6 items-center justify-between gap-2">
          <span className={`flex min-w-0 text-sm ${isNew ? 'font-medium text-ink' : 'text-muted'}`}>
            {last?.direction === 'inbound' && (
              <span className="shrink-0 whitespace-pre">{t('me')}</span>
            )}
            {/* In an element of its own, so that it has its own direction. */}
            <span dir="auto" className="truncate">
              {last ? lineOf(last) : t('noMessages')}
            </span>
          </span>
          {unread > 0 ? (
            <Count count={unread} words={t('unread', { count: unread })} />
          ) : (
            isMarked && (
              <span className="size-2.5 shrink-0 rounded-full bg-accent">
                <span className="sr-only">{t('markedUnread')}</span>
              </span>
            )
          )}
        </span>
      </span>
    </a>
  );
}

function LastTime({ at }: { at: number }) {
  useTime(formatToday);
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} className="shrink-0 text-xs text-muted">
      {formatTimeOrDay(iso)}
    </time>
  );
}
