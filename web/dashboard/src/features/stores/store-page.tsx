import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Problem } from '../../../../parts/behaviour/problem.ts';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Figure, Figures } from '../../../../parts/page/figures.tsx';
import { Card, Notice, Page } from '../../../../parts/page/page.tsx';
import { charts } from '../../../../texts/charts.ts';
import { formatNumber, formatPercent } from '../../../../texts/format.ts';
import { stores as t } from '../../../../texts/stores.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { StoreDetailsData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { Chart } from '../../shell/charts/chart.tsx';
import { PeriodChoice } from '../../shell/charts/period-choice.tsx';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { StoreEvents } from './posts/store-events.tsx';
import { storeQuery, usualPeriod } from './queries.ts';
import { ChangeKeys } from './setup/change-keys.tsx';
import { StoreInstructions } from './setup/store-keys.tsx';
import { usePlatform } from './setup/use-platforms.ts';
import { StoreActions } from './store-actions.tsx';
import { Topics } from './topics/topics.tsx';

const series = [
  { key: 'done', label: t('counts.done'), color: 'var(--accent)' },
  { key: 'nothing_to_do', label: t('counts.nothing_to_do'), color: 'var(--line-strong)' },
  {
    key: 'skipped',
    label: t('counts.skipped'),
    color: 'var(--warn)',
    texture: 'dots' as const,
  },
  {
    key: 'failed',
    label: t('counts.failed'),
    color: 'var(--bad)',
    texture: 'stripes' as const,
  },
  {
    key: 'refused',
    label: t('counts.refused'),
    color: 'color-mix(in oklab, var(--bad) 45%, var(--surface))',
  },
];

export function StorePage() {
  const { slug, api } = useTenant();
  const { store: id } = useParams({ from: '/t/$tenant/stores/$store' });
  const { days } = useSearch({ from: '/t/$tenant/stores/$store' });
  const details = useQuery({
    ...storeQuery(api, id, days),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(15_000),
  });
  const store = details.data?.store;
  const platform = usePlatform(store?.platform);
  const isGone = details.error instanceof Problem && details.error.status === 404;
  return (
    <>
      <div className="mx-auto max-w-4xl px-4 pt-5 sm:px-8">
        <Link
          to="/t/$tenant/stores"
          params={{ tenant: slug }}
          className="inline-flex items-center gap-1.5 text-muted hover:text-ink"
        >
          <ArrowLeft className="size-4" aria-hidden />
          {t('back')}
        </Link>
      </div>
      <Page
        title={store?.name ?? t('title')}
        intro={platform?.title}
        actions={store && <StoreActions store={store} />}
      >
        {isGone ? (
          <Notice tone="warn">{t('gone')}</Notice>
        ) : (
          <Loaded query={details} lines={8}>
            {(data) => <Details details={data} />}
          </Loaded>
        )}
      </Page>
    </>
  );
}

function Details({ details: { store, topics, days } }: { details: StoreDetailsData }) {
  const { can } = useTenant();
  const { days: period = usualPeriod } = useSearch({ from: '/t/$tenant/stores/$store' });
  const navigate = useNavigate({ from: '/t/$tenant/stores/$store' });
  const platform = usePlatform(store.platform);
  const { quiet_since: quietSince, paused_since: pausedSince, pause_reason: reason } = store;
  const toBeDone = store.done + store.failed + store.skipped;
  return (
    <>
      {pausedSince && (
        <Notice tone="warn" title={t('pausedTitle')}>
          {t.rich('pausedText', { ago: () => <Ago at={pausedSince} /> })}
          {reason !== null && <bdi className="block wrap-anywhere">{reason}</bdi>}
        </Notice>
      )}
      {quietSince && (
        <Notice tone="warn">{t.rich('quiet', { ago: () => <Ago at={quietSince} /> })}</Notice>
      )}
      {store.last_refusal && store.refused > 0 && (
        <Notice tone="warn" title={t('refusedTitle', { reason: store.last_refusal })}>
          {t('refusedText')}
        </Notice>
      )}
      <Figures>
        <Figure label={t('counts.received')} value={formatNumber(store.received)} />
        <Figure label={t('success')} value={formatPercent(store.done, toBeDone)} />
        <Figure label={t('counts.messages_sent')} value={formatNumber(store.messages_sent)} />
        <Figure label={t('counts.refused')} value={formatNumber(store.refused)} />
      </Figures>
      <Card
        title={t('chartTitle')}
        intro={charts('lastDays', { count: period })}
        actions={
          <PeriodChoice
            value={period}
            onChange={(chosen) =>
              void navigate({
                search: (before) => ({ ...before, days: chosen }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        }
      >
        <Chart
          label={t('chartTitle')}
          empty={t('noPosts')}
          series={series}
          days={days.map(({ day, ...values }) => ({ day, values }))}
        />
      </Card>
      <Topics store={store} topics={topics} />
      <Card>
        <details>
          <summary className="w-fit cursor-pointer font-semibold">{t('setUp')}</summary>
          <div className="mt-4 grid gap-4">
            <StoreInstructions platform={platform} made={{ url: store.url }} />
            {can('stores:write') && <ChangeKeys store={store} />}
          </div>
        </details>
      </Card>
      <StoreEvents storeId={store.id} />
    </>
  );
}
