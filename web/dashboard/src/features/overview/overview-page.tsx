import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ago } from '../../../../parts/ago.tsx';
import { buttonLook } from '../../../../parts/button.tsx';
import { Figure, Figures } from '../../../../parts/figures.tsx';
import { Card, Notice, Page } from '../../../../parts/page.tsx';
import { apiSettings } from '../../../../texts/api-settings.ts';
import { charts } from '../../../../texts/charts.ts';
import { formatNumber, formatPercent } from '../../../../texts/format.ts';
import { overview as texts } from '../../../../texts/overview.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { OverviewData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { Chart } from '../../shell/chart.tsx';
import { PeriodChoice } from '../../shell/period-choice.tsx';
import { usePolling } from '../conversations/use-live.tsx';
import { SimulatedNotice } from '../numbers/simulated-notice.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health.tsx';
import { overviewQuery, usualPeriod } from './queries.ts';

const series = [
  { key: 'delivered', label: texts.delivered, color: 'var(--accent)' },
  {
    key: 'on_the_way',
    label: texts.onTheWay,
    color: 'color-mix(in oklab, var(--accent) 45%, var(--surface))',
  },
  { key: 'unknown', label: texts.unknown, color: 'var(--line-strong)', pattern: 'dots' as const },
  { key: 'failed', label: texts.failed, color: 'var(--bad)', pattern: 'stripes' as const },
];

export function OverviewPage() {
  const { api } = useTenant();
  const { days = usualPeriod } = useSearch({ from: '/t/$tenant/' });
  const navigate = useNavigate({ from: '/t/$tenant' });
  const overview = useQuery({
    ...overviewQuery(api, days),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(60_000),
  });
  return (
    <Page
      title={texts.title}
      intro={charts.lastDays(days)}
      actions={
        <PeriodChoice
          value={days}
          onChange={(chosen) => void navigate({ to: '.', search: { days: chosen } })}
        />
      }
    >
      <Loaded query={overview} lines={8}>
        {(data) => <Overview data={data} />}
      </Loaded>
    </Page>
  );
}

function Overview({ data }: { data: OverviewData }) {
  const { slug } = useTenant();
  const total = (name: 'delivered' | 'on_the_way' | 'failed' | 'unknown' | 'received') =>
    data.days.reduce((sum, day) => sum + day[name], 0);
  const delivered = total('delivered');
  const failed = total('failed');
  return (
    <>
      <SimulatedNotice phone={data.simulated_sender} />
      {data.number_problems.map(({ phone, problem }) => (
        <Notice
          key={phone}
          tone="bad"
          title={texts.problemTitle(phone)}
          action={
            <Link
              to="/t/$tenant/numbers"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {texts.look}
            </Link>
          }
        >
          {problem}
        </Notice>
      ))}
      {data.tokens_seen_in_clear.length > 0 && (
        <Notice
          tone="bad"
          title={texts.inClearTitle}
          action={
            <Link
              to="/t/$tenant/api"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {texts.look}
            </Link>
          }
        >
          {apiSettings.inClearText(data.tokens_seen_in_clear.map((name) => `“${name}”`).join(', '))}
        </Notice>
      )}
      {Object.values(data.steps).includes(false) && <FirstSteps steps={data.steps} />}
      <Figures>
        <Figure
          label={texts.sent}
          value={formatNumber(delivered + total('on_the_way'))}
          hint={texts.sentHint}
        />
        <Figure
          label={texts.deliveryRate}
          value={formatPercent(delivered, delivered + failed)}
          hint={texts.deliveryHint}
        />
        <Figure
          label={texts.failed}
          value={formatNumber(failed)}
          hint={texts.failedHint}
          bad={failed > 0}
        />
        <Figure
          label={texts.received}
          value={formatNumber(total('received'))}
          hint={texts.receivedHint}
        />
      </Figures>
      <Card title={texts.chartTitle}>
        <Chart
          label={texts.chartTitle}
          empty={texts.noMessages}
          series={series}
          days={data.days.map(({ day, ...values }) => ({ day, values }))}
        />
      </Card>
      <Health />
      <Card title={texts.failuresTitle}>
        {data.failures.length === 0 ? (
          <p className="text-muted">{texts.noFailures}</p>
        ) : (
          <ul className="grid gap-3">
            {data.failures.map((failure) => (
              <li key={failure.code ?? 'none'} className="flex flex-wrap justify-between gap-x-6">
                <span className="min-w-0 break-words">
                  {failure.title}
                  {failure.code !== null && (
                    <span className="ml-2 font-mono text-sm text-muted">{failure.code}</span>
                  )}
                </span>
                <span className="figures text-muted">
                  {texts.times(formatNumber(failure.messages))}, {texts.last}{' '}
                  <Ago at={failure.last_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}
