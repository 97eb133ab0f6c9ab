import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterChoice } from '../../../../../parts/fields/filter-choice.tsx';
import { SearchField } from '../../../../../parts/fields/search-field.tsx';
import { Card } from '../../../../../parts/page/page.tsx';
import { rowLook } from '../../../../../parts/page/row.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { Loaded } from '../../../api/loaded.tsx';
import { More } from '../../../api/more.tsx';
import type { StoreEventData } from '../../../api/records.ts';
import { ResultStatus } from '../../../api/result-status.tsx';
import { useWithOpen } from '../../../api/use-with-open.ts';
import { useTenant } from '../../../session.ts';
import { LongList } from '../../../shell/long-list.tsx';
import { usePolling } from '../../messages/conversations/live/use-live.tsx';
import { storeEventQuery, storeEventsQuery } from '../queries.ts';
import { type StoreSearch, states } from '../search.ts';
import { ReplayFailed } from './replay-failed.tsx';
import { StoreEvent } from './store-event.tsx';

/** The posts of a store. The address of the page has their filter, and the post that is open. */
export function StoreEvents({ storeId }: { storeId: number }) {
  const { api } = useTenant();
  const search: StoreSearch = useSearch({ from: '/t/$tenant/stores/$store' });
  const navigate = useNavigate({ from: '/t/$tenant/stores/$store' });
  const { state, q, open } = search;
  const events = useInfiniteQuery({
    ...storeEventsQuery(api, storeId, search),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(5_000),
  });
  const found = useWithOpen(
    events.data?.pages.flatMap((page) => page.events),
    open,
    (id) => storeEventQuery(api, storeId, id),
    (part) => part.events,
  );
  const isOpen = ({ id }: StoreEventData) => id === open;

  /** Closes the open event too, which would be the first result if it is not found. */
  function narrow(part: StoreSearch): void {
    change({ ...part, open: undefined });
  }

  function change(part: StoreSearch): void {
    void navigate({ search: { ...search, ...part }, replace: true, resetScroll: false });
  }

  return (
    <Card
      title={t('eventsTitle')}
      intro={t('eventsIntro')}
      actions={<ReplayFailed storeId={storeId} />}
      flush
    >
      <search className="flex flex-wrap gap-2 px-5 pb-3">
        <FilterChoice
          label={t('state')}
          any={t('allStates')}
          value={state}
          choices={states.map((value) => ({ value, words: t(`states.${value}`) }))}
          onChoose={(chosen) => narrow({ state: chosen })}
        />
        <div className="min-w-40 grow">
          <SearchField
            label={t('searchEvents')}
            placeholder={t('searchEvents')}
            value={q ?? ''}
            onSearch={(wanted) => narrow({ q: wanted || undefined })}
          />
        </div>
      </search>
      <ResultStatus query={events} filter={{ state, q }} count={found.length} />
      <Loaded
        query={events}
        inset="p-5"
        isEmpty={found.length === 0}
        empty={
          <p className="border-t border-line px-5 py-6 text-muted">
            {state || q ? t('noneMatch') : t('noEvents')}
          </p>
        }
      >
        {() => (
          <LongList
            items={found}
            keyOf={({ id }) => id}
            isOpen={isOpen}
            rowClass={rowLook}
            className="border-t border-line"
          >
            {(event) => (
              <StoreEvent
                storeId={storeId}
                event={event}
                isOpen={isOpen(event)}
                onOpen={(opened) => change({ open: opened ? event.id : undefined })}
              />
            )}
          </LongList>
        )}
      </Loaded>
      <More query={events} className="border-t border-line px-5 py-3" />
    </Card>
  );
}
