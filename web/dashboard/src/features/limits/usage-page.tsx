import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Gauge } from 'lucide-react';
import { Suspense } from 'react';
import { buttonLook } from '../../../../parts/buttons/button.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { type Column, Table } from '../../../../parts/page/table.tsx';
import { formatNumber } from '../../../../texts/format.ts';
import { textOr } from '../../../../texts/translator.ts';
import { usage as t } from '../../../../texts/usage.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { UsageData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { Chart } from '../../shell/charts/chart.tsx';
import { PeriodChoice } from '../../shell/charts/period-choice.tsx';
import { lazyPart } from '../../shell/loading/lazy-part.tsx';
import { usualPeriod } from './queries.ts';
import { requestSeries, requestsOf, useUsage } from './use-usage.ts';

const RegionSettings = lazyPart(() => import('./region-settings.tsx'), 'RegionSettings');

const messageSeries = [
  { key: 'texts', label: t('texts'), color: 'var(--accent)' },
  {
    key: 'templates',
    label: t('templates'),
    color: 'color-mix(in oklab, var(--accent) 45%, var(--surface))',
  },
  { key: 'media', label: t('media'), color: 'var(--line-strong)', texture: 'dots' as const },
];

const planColumns: Column<UsageData['plans'][number]>[] = [
  {
    key: 'plan',
    title: t('planName'),
    isRowHeader: true,
    cell: ({ plan }) => textOr(t, `plans.${plan}`, plan),
  },
  {
    key: 'requests',
    title: t('requestsColumn'),
    look: 'figures wrap-anywhere',
    cell: (plan) => formatNumber(plan.requests_per_minute),
  },
  {
    key: 'messages',
    title: t('messagesColumn'),
    look: 'figures wrap-anywhere',
    cell: ({ messages_per_day: limit }) => (limit === null ? t('noLimit') : formatNumber(limit)),
  },
];

export function UsagePage() {
  const { days = usualPeriod } = useSearch({ from: '/t/$tenant/usage' });
  const navigate = useNavigate({ from: '/t/$tenant/usage' });
  const usage = useUsage(days);
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        <PeriodChoice
          value={days}
          onChange={(chosen) => void navigate({ search: { days: chosen } })}
        />
      }
    >
      <Loaded query={usage} lines={6}>
        {(data) => <UsageOf usage={data} />}
      </Loaded>
      <Suspense fallback={null}>
        <RegionSettings />
      </Suspense>
    </Page>
  );
}

function UsageOf({ usage }: { usage: UsageData }) {
  const { slug } = useTenant();
  const days = sumByDay(usage);
  return (
    <>
      <Card
        title={t('plan', { plan: textOr(t, `plans.${usage.plan}`, usage.plan) })}
        intro={t('changePlan')}
        flush
      >
        <Table
          caption={t('compare')}
          items={usage.plans}
          keyOf={({ plan }) => plan}
          isCurrent={({ plan }) => plan === usage.plan}
          columns={planColumns}
        />
      </Card>
      {usage.tokens.length === 0 ? (
        <Card>
          <EmptyState
            icon={Gauge}
            title={t('emptyTitle')}
            action={
              <Link to="/t/$tenant/api" params={{ tenant: slug }} className={buttonLook('plain')}>
                {t('toApi')}
              </Link>
            }
          >
            {t('emptyText')}
          </EmptyState>
        </Card>
      ) : (
        <>
          <Card title={t('todayTitle')}>
            <ul className="grid gap-4">
              {usage.tokens.map((token) => (
                <TokenToday key={token.id} token={token} limit={usage.messages_per_day} />
              ))}
            </ul>
          </Card>
          <Card title={t('requestsTitle')}>
            <Chart
              label={t('requestsTitle')}
              empty={t('notCounted')}
              series={requestSeries}
              days={days.map(requestsOf)}
            />
          </Card>
          <Card title={t('messagesTitle')}>
            <Chart
              label={t('messagesTitle')}
              empty={t('notCounted')}
              series={messageSeries}
              days={days.map(({ day, ...values }) => ({ day, values }))}
            />
          </Card>
        </>
      )}
    </>
  );
}

function TokenToday({
  token,
  limit,
}: {
  token: UsageData['tokens'][number];
  limit: number | null;
}) {
  const used = token.days.at(-1)?.messages ?? 0;
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const isNear = share >= 0.8;
  return (
    <li>
      <p className="flex flex-wrap justify-between gap-x-4">
        <bdi className="min-w-0 wrap-anywhere">{token.name}</bdi>
        <span className={`figures ${isNear ? 'text-warn' : 'text-muted'}`}>
          {limit === null ? t('used', { used }) : t('usedOf', { used, limit })}
        </span>
      </p>
      {limit !== null && (
        <meter aria-label={token.name} min={0} max={limit} value={used} className="sr-only" />
      )}
      {limit !== null && (
        <div
          className="mt-1.5 h-2 overflow-hidden rounded-full bg-line forced-color-adjust-none"
          aria-hidden
        >
          <div
            className={`h-full rounded-full ${isNear ? 'bg-warn' : 'bg-accent'}`}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {isNear && (
        <p className="mt-1 text-sm text-warn">{share === 1 ? t('usedUp') : t('nearLimit')}</p>
      )}
    </li>
  );
}

type Day = UsageData['tokens'][number]['days'][number];

/** All tokens together. */
function sumByDay({ tokens }: UsageData): Day[] {
  const [first, ...others] = tokens;
  return (first?.days ?? []).map((day, index) =>
    others.reduce((sum, token) => {
      const other = token.days[index];
      return other ? addDays(sum, other) : sum;
    }, day),
  );
}

function addDays(a: Day, b: Day): Day {
  const { day, ...counts } = a;
  const sums = Object.entries(counts).map(([name, count]) => [
    name,
    count + b[name as keyof typeof counts],
  ]);
  return { day, ...Object.fromEntries(sums) };
}
