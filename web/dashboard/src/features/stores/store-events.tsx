import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { stringify } from 'lossless-json';
import { useState } from 'react';
import { Ago } from '../../../../parts/ago.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { Button } from '../../../../parts/button.tsx';
import { controlLook } from '../../../../parts/field.tsx';
import { Card, Skeleton } from '../../../../parts/page.tsx';
import { stores as texts } from '../../../../texts/stores.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { StoreEventData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { storeEventsQuery } from './queries.ts';
import { readPayload } from './read-payload.ts';

const tones = {
  waiting: 'warn',
  done: 'good',
  nothing_to_do: 'neutral',
  skipped: 'warn',
  failed: 'bad',
} as const;

type State = StoreEventData['state'];

export function StoreEvents({ storeId }: { storeId: number }) {
  const { api } = useTenant();
  const [state, setState] = useState<State | ''>('');
  const events = useInfiniteQuery({
    ...storeEventsQuery(api, storeId, state),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  const found = events.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <Card
      title={texts.eventsTitle}
      intro={texts.eventsIntro}
      actions={
        <select
          aria-label={texts.state}
          value={state}
          onChange={(event) => setState(event.target.value as State | '')}
          className={`${controlLook} h-8 text-sm`}
        >
          <option value="">{texts.allStates}</option>
          {Object.entries(texts.states).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      }
      flush
    >
      {events.error && (
        <div className="p-5">
          <LoadProblem error={events.error} />
        </div>
      )}
      {events.isPending && (
        <div className="p-5">
          <Skeleton lines={4} />
        </div>
      )}
      {events.data && !events.isPlaceholderData && found.length === 0 && (
        <p className="border-t border-line px-5 py-6 text-muted">
          {state ? texts.noneMatch : texts.noEvents}
        </p>
      )}
      {found.length > 0 && (
        <ul className={`border-t border-line ${events.isPlaceholderData ? 'opacity-60' : ''}`}>
          {found.map((event) => (
            <StoreEvent key={event.id} storeId={storeId} event={event} />
          ))}
        </ul>
      )}
      {events.hasNextPage && (
        <div className="border-t border-line px-5 py-3">
          <Button small busy={events.isFetchingNextPage} onClick={() => events.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </Card>
  );
}

function StoreEvent({ storeId, event }: { storeId: number; event: StoreEventData }) {
  const { api } = useTenant();
  const [isOpen, setIsOpen] = useState(false);
  const replay = useAction(
    () =>
      api.post('/stores/{id}/events/{event}/replay', { path: { id: storeId, event: event.id } }),
    {
      done: texts.replayed,
      refresh: [api.key('/stores/{id}/events', { path: { id: storeId } })],
    },
  );
  return (
    <li className="border-b border-line last:border-b-0">
      <details onToggle={(toggle) => setIsOpen(toggle.currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-sunken/60">
          <span className="flex shrink-0 sm:w-24">
            <Badge tone={tones[event.state]}>{texts.states[event.state]}</Badge>
          </span>
          <span>
            {event.topic ? (texts.topics[event.topic] ?? event.topic) : texts.unknownTopic}
          </span>
          {event.is_sample && <Badge>{texts.sample}</Badge>}
          <span className="ml-auto text-sm text-muted">
            <Ago at={event.received_at} />
          </span>
          {event.reason && (
            <span className="basis-full break-words text-sm text-muted">
              {event.reason}
              {event.next_try_at && (
                <>
                  {' '}
                  {texts.nextTry} <Ago at={event.next_try_at} isDue />.
                </>
              )}
            </span>
          )}
        </summary>
        <div className="grid gap-3 bg-sunken/50 px-5 py-3 text-sm">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span className="text-muted">
              #{event.id}
              {event.replay_of !== null && `, ${texts.replayOf(event.replay_of)}`}
            </span>
            <Button small busy={replay.busy} onClick={() => replay.run()}>
              {texts.replay}
            </Button>
          </div>
          {isOpen && <Payload storeId={storeId} eventId={event.id} />}
        </div>
      </details>
    </li>
  );
}

function Payload({ storeId, eventId }: { storeId: number; eventId: number }) {
  const { api } = useTenant();
  const { data, error } = useQuery({
    ...api.asked('/stores/{id}/events/{event}', { path: { id: storeId, event: eventId } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return error ? <LoadProblem error={error} /> : <Skeleton />;
  return (
    <pre
      // It scrolls, so a keyboard must reach it.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-lg border border-line bg-surface p-3 font-mono text-xs"
    >
      {pretty(data.payload)}
    </pre>
  );
}

function pretty(payload: string): string {
  try {
    return stringify(readPayload(payload), null, 2) ?? payload;
  } catch {
    return payload;
  }
}
