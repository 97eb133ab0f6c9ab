import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { Card, EmptyState } from '../../../../../parts/page/page.tsx';
import { rowLook } from '../../../../../parts/page/row.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import { Loaded } from '../../../api/loaded.tsx';
import { More } from '../../../api/more.tsx';
import type { DeliveryData } from '../../../api/records.ts';
import { ResultStatus } from '../../../api/result-status.tsx';
import { useAction } from '../../../api/use-action.ts';
import { useWithOpen } from '../../../api/use-with-open.ts';
import { useTenant } from '../../../session.ts';
import { LongList } from '../../../shell/long-list.tsx';
import { usePolling } from '../../messages/conversations/live/use-live.tsx';
import { deliveriesQuery, deliveryQuery, endpointQuery } from '../queries.ts';
import type { DeliverySearch } from '../search.ts';
import { Alike } from './alike.tsx';
import { Delivery } from './delivery.tsx';
import { DeliveryFilter } from './delivery-filter.tsx';
import { groupAlike } from './group-alike.ts';

/** The deliveries of an endpoint. The address of the page has their filter, and the delivery that is open. */
export function Deliveries({ eventTypes }: { eventTypes: string[] }) {
  const { api } = useTenant();
  const search: DeliverySearch = useSearch({ from: '/t/$tenant/webhook' });
  const navigate = useNavigate({ from: '/t/$tenant/webhook' });
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(api, search),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(5_000),
  });
  const redeliver = useAction(
    () =>
      api.post('/webhook/redeliver', {
        query: endpointQuery(search),
        body: { failed: true, waiting: true },
      }),
    {
      done: ({ deliveries }) =>
        deliveries === 0 ? t('noneUndelivered') : t('redelivered', { count: deliveries }),
      refresh: [api.key('/webhook/deliveries')],
    },
  );
  const found = useWithOpen(
    deliveries.data?.pages.flatMap((page) => page.deliveries),
    search.open,
    (id) => deliveryQuery(api, search, id),
    (list) => list.deliveries,
  );
  const isOpen = ({ id }: DeliveryData) => id === search.open;

  function change(part: DeliverySearch): void {
    void navigate({ search: { ...search, ...part }, replace: true, resetScroll: false });
  }

  const shown = (delivery: DeliveryData) => (
    <Delivery
      delivery={delivery}
      endpoint={endpointQuery(search)}
      isOpen={isOpen(delivery)}
      onOpen={(open) => change({ open: open ? delivery.id : undefined })}
    />
  );

  return (
    <Card
      title={t('deliveriesTitle')}
      intro={t('deliveriesIntro')}
      actions={
        <Button small busy={redeliver.busy} onClick={() => redeliver.run()}>
          {t('redeliverAll')}
        </Button>
      }
      flush
    >
      <DeliveryFilter
        search={search}
        eventTypes={eventTypes}
        // An open delivery need not pass the next filter.
        onChange={(part) => change({ ...part, open: undefined })}
      />
      <ResultStatus query={deliveries} filter={filterOf(search)} count={found.length} />
      <Loaded
        query={deliveries}
        lines={5}
        inset="p-5"
        isEmpty={found.length === 0}
        empty={
          Object.values(filterOf(search)).some(Boolean) ? (
            <p className="px-5 py-8 text-center text-muted">{t('nothing')}</p>
          ) : (
            <EmptyState icon={Webhook} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          )
        }
      >
        {() => (
          <LongList
            items={groupAlike(found)}
            // New ones join a group at its beginning.
            keyOf={(alike) => alike.at(-1)!.id}
            isOpen={(alike) => alike.some(isOpen)}
            rowClass={rowLook}
          >
            {(alike) =>
              alike.length === 1 ? (
                shown(alike[0]!)
              ) : (
                <Alike deliveries={alike} isOpen={alike.some(isOpen)}>
                  {shown}
                </Alike>
              )
            }
          </LongList>
        )}
      </Loaded>
      <More query={deliveries} />
    </Card>
  );
}

function filterOf({ open: _, endpoint: _endpoint, ...filter }: DeliverySearch) {
  return filter;
}
