import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonLook } from '../../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../../parts/overlays/ask-first.tsx';
import { Ago } from '../../../../../parts/page/ago.tsx';
import { Badge } from '../../../../../parts/page/badge.tsx';
import { Fold } from '../../../../../parts/page/fold.tsx';
import { LongText } from '../../../../../parts/page/long-text.tsx';
import { Skeleton } from '../../../../../parts/page/page.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { textOr } from '../../../../../texts/translator.ts';
import { prettyJson } from '../../../api/json-text.ts';
import { LoadProblem } from '../../../api/load-problem.tsx';
import type { StoreEventData } from '../../../api/records.ts';
import { Said } from '../../../api/said.tsx';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';
import { recipientOf } from '../../messages/conversations/identity.ts';

const tones = {
  waiting: 'warn',
  done: 'good',
  nothing_to_do: 'neutral',
  skipped: 'warn',
  failed: 'bad',
} as const;

/** A post and its result: opened, its body. */
export function StoreEvent({
  storeId,
  event,
  isOpen,
  onOpen,
}: {
  storeId: number;
  event: StoreEventData;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}) {
  const { api, slug } = useTenant();
  const number = event.resource_number?.replace(/^#?/, '#');
  const nextAt = event.next_try_at;
  const reason = event.reason && <Said says={event.reason_says} text={event.reason} />;
  const replay = useAction(
    () =>
      api.post('/stores/{id}/events/{event}/replay', { path: { id: storeId, event: event.id } }),
    {
      done: t('replayed'),
      refresh: [api.key('/stores/{id}/events', { path: { id: storeId } })],
    },
  );
  return (
    <Fold
      isOpen={isOpen}
      onOpen={onOpen}
      summary={
        <>
          <span className="flex shrink-0 sm:min-w-24">
            <Badge tone={tones[event.state]}>{t(`states.${event.state}`)}</Badge>
          </span>
          <span>
            {event.topic ? textOr(t, `topics.${event.topic}`, event.topic) : t('unknownTopic')}
          </span>
          {number && <bdi className="figures">{number}</bdi>}
          {event.phone && <span className="figures text-muted">{recipientOf(event.phone)}</span>}
          {event.message_failure && <Badge tone="bad">{t('messageFailed')}</Badge>}
          {event.is_sample && <Badge>{t('sample')}</Badge>}
          <span className="ml-auto text-sm text-muted">
            <Ago at={event.received_at} />
          </span>
          {reason && (
            <span className="basis-full break-words text-sm text-muted">
              {nextAt
                ? t.rich('nextTry', {
                    reason: () => reason,
                    ago: () => <Ago at={nextAt} isDue />,
                  })
                : reason}
            </span>
          )}
          {event.message_failure && (
            <span className="basis-full break-words text-sm text-bad">
              <Said says={event.message_failure_says} text={event.message_failure} />
            </span>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-muted">
          {event.replay_of === null
            ? t('eventId', { id: String(event.id) })
            : t('replayOf', { id: String(event.id), original: String(event.replay_of) })}
        </span>
        <div className="flex flex-wrap gap-2">
          {event.phone && (
            <Link
              to="/t/$tenant/conversations"
              params={{ tenant: slug }}
              search={{ phone: event.phone }}
              className={buttonLook('plain', true)}
            >
              {t('conversation')}
            </Link>
          )}
          <AskFirst
            title={t('replayTitle')}
            description={t('replayText')}
            action={t('replay')}
            look="primary"
            onConfirm={() => replay.finish()}
          >
            {(ask) => (
              <Button
                small
                busy={replay.busy}
                onClick={() => (event.sends_again ? ask() : replay.run())}
              >
                {t('replay')}
              </Button>
            )}
          </AskFirst>
        </div>
      </div>
      {isOpen && <Payload storeId={storeId} eventId={event.id} />}
    </Fold>
  );
}

function Payload({ storeId, eventId }: { storeId: number; eventId: number }) {
  const { api } = useTenant();
  const { data, error } = useQuery({
    ...api.asked('/stores/{id}/events/{event}', { path: { id: storeId, event: eventId } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return error ? <LoadProblem error={error} /> : <Skeleton />;
  return <LongText>{prettyJson(data.payload)}</LongText>;
}
