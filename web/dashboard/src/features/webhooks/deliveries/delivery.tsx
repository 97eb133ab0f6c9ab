import { type ReactNode, Suspense } from 'react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { Ago } from '../../../../../parts/page/ago.tsx';
import { Badge } from '../../../../../parts/page/badge.tsx';
import { Fold } from '../../../../../parts/page/fold.tsx';
import { LongText } from '../../../../../parts/page/long-text.tsx';
import { Skeleton } from '../../../../../parts/page/page.tsx';
import { formatExactTime } from '../../../../../texts/format.ts';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { DeliveryData } from '../../../api/records.ts';
import { Said } from '../../../api/said.tsx';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';
import { lazyPart } from '../../../shell/loading/lazy-part.tsx';

/** Few deliveries are opened. */
const DeliveryRequest = lazyPart(() => import('./delivery-request.tsx'), 'DeliveryRequest');

export const tones = { waiting: 'warn', delivered: 'good', failed: 'bad' } as const;

/** An event that is delivered: opened, every attempt with the response of the receiver. */
export function Delivery({
  delivery,
  endpoint,
  isOpen,
  onOpen,
}: {
  delivery: DeliveryData;
  endpoint: { endpoint: number | undefined };
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}) {
  const { api } = useTenant();
  const redeliver = useAction(
    () => api.post('/webhook/redeliver', { query: endpoint, body: { id: delivery.id } }),
    {
      done: (done) => t('redelivered', { count: done.deliveries }),
      refresh: [api.key('/webhook/deliveries')],
    },
  );
  const { attempts, subject } = delivery;
  const last = attempts.at(-1);
  const nextAt = delivery.state === 'waiting' && last ? delivery.next_try_at : null;
  return (
    <Fold
      isOpen={isOpen}
      onOpen={onOpen}
      summary={
        <>
          <span className="flex shrink-0 sm:min-w-20">
            <Badge tone={tones[delivery.state]}>{t(`states.${delivery.state}`)}</Badge>
          </span>
          <span className="font-mono text-sm">{delivery.event}</span>
          {subject.name && (
            <span className="min-w-0 text-sm wrap-anywhere">
              <bdi>{subject.name}</bdi>
              {subject.contact_id !== null && (
                <span className="text-muted"> #{subject.contact_id}</span>
              )}
            </span>
          )}
          <span className="figures ml-auto text-sm text-muted">
            {last?.status && (
              <>
                <span className={last.reason ? 'font-medium text-bad' : ''}>{last.status}</span>
                {' · '}
              </>
            )}
            {last && `${t('took', { ms: last.duration_ms })} · `}
            {t.rich(nextAt ? 'triesAndNext' : 'tries', {
              count: attempts.length,
              ago: () => nextAt && <Ago at={nextAt} isDue />,
            })}
            {' · '}
            <Ago at={delivery.created_at} />
          </span>
        </>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="break-all font-mono text-xs text-muted">{delivery.webhook_id}</span>
        <Button small busy={redeliver.busy} onClick={() => redeliver.run()}>
          {t('redeliver')}
        </Button>
      </div>
      {delivery.state === 'waiting' && delivery.next_try_at === null && (
        <p className="text-muted">{t('behind')}</p>
      )}
      {isOpen && (
        <Suspense fallback={<Skeleton />}>
          <DeliveryRequest id={delivery.id} endpoint={endpoint} />
        </Suspense>
      )}
      {delivery.reason && delivery.reason !== attempts.at(-1)?.reason && (
        <p className="text-bad">
          <Said says={delivery.reason_says} text={delivery.reason} />
        </p>
      )}
      <ol className="grid gap-2">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="rounded-lg border border-line bg-surface p-3">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span>{resultOf(attempt)}</span>
              <span className="figures text-muted">
                {t('attemptAt', {
                  time: formatExactTime(attempt.started_at),
                  ms: attempt.duration_ms,
                })}
              </span>
            </p>
            {attempt.answer && (
              <LongText look="mt-2 max-h-40 text-muted">{attempt.answer}</LongText>
            )}
          </li>
        ))}
      </ol>
    </Fold>
  );
}

function resultOf(attempt: DeliveryData['attempts'][number]): ReactNode {
  const { number, reason, reason_says: says, status } = attempt;
  const result =
    reason ?? (status === null ? undefined : t('answered', { status: String(status) }));
  return t.rich(result ? 'attemptWith' : 'attempt', {
    number,
    reason: () => result && <Said says={says} text={result} />,
    b: (words) => <span className="font-semibold">{words}</span>,
  });
}
