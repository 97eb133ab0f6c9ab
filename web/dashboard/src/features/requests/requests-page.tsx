import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { buttonLook } from '../../../../parts/buttons/button.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { rowLook } from '../../../../parts/page/row.tsx';
import { requests as t } from '../../../../texts/requests.ts';
import { Loaded } from '../../api/loaded.tsx';
import { More } from '../../api/more.tsx';
import type { RequestData } from '../../api/records.ts';
import { ResultStatus } from '../../api/result-status.tsx';
import { useWithOpen } from '../../api/use-with-open.ts';
import { useTenant } from '../../session.ts';
import { LongList } from '../../shell/long-list.tsx';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { BodiesNotice, LogBodies } from './log-bodies.tsx';
import { requestQuery, requestsQuery } from './queries.ts';
import { RequestEntry } from './request-entry.tsx';
import { RequestFilter } from './request-filter.tsx';
import { filterOf, type RequestSearch } from './search.ts';

/** The requests of the tenant's tokens. The address says which, and which one is open. */
export function RequestsPage() {
  const { api, slug } = useTenant();
  const search: RequestSearch = useSearch({ from: '/t/$tenant/requests' });
  const navigate = useNavigate({ from: '/t/$tenant/requests' });
  const requests = useInfiniteQuery({
    ...requestsQuery(api, search),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(5_000),
  });
  const found = useWithOpen(
    requests.data?.pages.flatMap((page) => page.requests),
    search.open,
    (id) => requestQuery(api, id),
    (request) => [request],
  );
  const isOpen = ({ id }: RequestData) => id === search.open;

  function change(part: RequestSearch): void {
    void navigate({ search: { ...search, ...part }, replace: true, resetScroll: false });
  }

  return (
    <Page title={t('title')} intro={t('intro')} actions={<LogBodies />} wide>
      <BodiesNotice />
      <Card flush>
        <RequestFilter
          search={search}
          // An open request need not pass the next filter.
          onChange={(part) => change({ ...part, open: undefined })}
        />
        <ResultStatus query={requests} filter={filterOf(search)} count={found.length} />
        <Loaded
          query={requests}
          lines={5}
          inset="p-5"
          isEmpty={found.length === 0}
          empty={
            isFiltered(search) ? (
              <p className="px-5 py-8 text-center text-muted">{t('nothing')}</p>
            ) : (
              <EmptyState
                icon={ScrollText}
                title={t('emptyTitle')}
                action={
                  <Link
                    to="/t/$tenant/api"
                    params={{ tenant: slug }}
                    className={buttonLook('primary')}
                  >
                    {t('toTokens')}
                  </Link>
                }
              >
                {t('emptyText')}
              </EmptyState>
            )
          }
        >
          {() => (
            <LongList items={found} keyOf={({ id }) => id} isOpen={isOpen} rowClass={rowLook}>
              {(request) => (
                <RequestEntry
                  request={request}
                  isOpen={isOpen(request)}
                  onOpen={(open) => change({ open: open ? request.id : undefined })}
                />
              )}
            </LongList>
          )}
        </Loaded>
        <More query={requests} className="border-t border-line px-5 py-3" />
      </Card>
    </Page>
  );
}

function isFiltered(search: RequestSearch): boolean {
  return Object.values(filterOf(search)).some((each) => each !== undefined);
}
