import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { controlLook } from '../../../../parts/field.tsx';
import { Card, EmptyState, Skeleton } from '../../../../parts/page.tsx';
import { formatNumber } from '../../../../texts/format.ts';
import { webhook as texts } from '../../../../texts/webhook.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { Delivery } from './delivery.tsx';
import { deliveriesQuery, everything, type Filter } from './queries.ts';

export function Deliveries({ eventTypes }: { eventTypes: string[] }) {
  const { api } = useTenant();
  const [filter, setFilter] = useState(everything);
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(api, filter),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  const redeliver = useAction(() => api.post('/webhook/redeliver', { body: { failed: true } }), {
    done: ({ deliveries }) =>
      deliveries === 0 ? texts.noneFailed : texts.redelivered(formatNumber(deliveries)),
    refresh: [api.key('/webhook/deliveries')],
  });
  const found = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const isFiltered = Object.values(filter).some(Boolean);
  const change = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  return (
    <Card
      title={texts.deliveriesTitle}
      intro={texts.deliveriesIntro}
      actions={
        <Button small busy={redeliver.busy} onClick={() => redeliver.run()}>
          {texts.redeliverFailed}
        </Button>
      }
      flush
    >
      <search className="flex flex-wrap gap-2 border-b border-line px-5 pb-3">
        <select
          aria-label={texts.event}
          value={filter.event}
          onChange={(event) => change({ event: event.target.value })}
          className={`${controlLook} h-8 text-sm`}
        >
          <option value="">{texts.anyEvent}</option>
          {[...eventTypes, 'webhook.test'].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <select
          aria-label={texts.state}
          value={filter.state}
          onChange={(event) => change({ state: event.target.value as Filter['state'] })}
          className={`${controlLook} h-8 text-sm`}
        >
          <option value="">{texts.anyState}</option>
          {Object.entries(texts.states).map(([state, label]) => (
            <option key={state} value={state}>
              {label}
            </option>
          ))}
        </select>
        <label className="flex items-center gap-2 text-sm text-muted">
          {texts.since}
          <input
            type="datetime-local"
            // Else a browser lets a year have six digits.
            max="9999-12-31T23:59"
            value={filter.since}
            onChange={(event) => change({ since: event.target.value })}
            className={`${controlLook} h-8 text-sm`}
          />
        </label>
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={filter.id}
          maxLength={60}
          onChange={(event) => change({ id: event.target.value })}
          className={`${controlLook} h-8 min-w-40 grow text-sm`}
        />
      </search>
      {deliveries.error && (
        <div className="p-5">
          <LoadProblem error={deliveries.error} />
        </div>
      )}
      {deliveries.isPending && (
        <div className="p-5">
          <Skeleton lines={5} />
        </div>
      )}
      {deliveries.data &&
        !deliveries.isPlaceholderData &&
        found.length === 0 &&
        (isFiltered ? (
          <p className="px-5 py-8 text-center text-muted">{texts.nothing}</p>
        ) : (
          <EmptyState icon={Webhook} title={texts.emptyTitle}>
            {texts.emptyText}
          </EmptyState>
        ))}
      {found.length > 0 && (
        <ul className={deliveries.isPlaceholderData ? 'opacity-60' : ''}>
          {found.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {deliveries.hasNextPage && (
        <div className="px-5 py-3">
          <Button
            small
            busy={deliveries.isFetchingNextPage}
            onClick={() => deliveries.fetchNextPage()}
          >
            {texts.more}
          </Button>
        </div>
      )}
    </Card>
  );
}
