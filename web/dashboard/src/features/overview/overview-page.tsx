import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ago } from '../../../../parts/ago.tsx';
import { buttonLook } from '../../../../parts/button.tsx';
import { DayChart } from '../../../../parts/day-chart.tsx';
import { Figure, Figures } from '../../../../parts/figures.tsx';
import { Card, Notice, Page, Skeleton } from '../../../../parts/page.tsx';
import { apiSettings } from '../../../../texts/api-settings.ts';
import { formatNumber, formatPercent } from '../../../../texts/format.ts';
import { overview as texts } from '../../../../texts/overview.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { OverviewData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health.tsx';

const series = [
  { key: 'delivered', label: texts.delivered, color: 'var(--accent)' },
  {
    key: 'on_the_way',
    label: texts.onTheWay,
    color: 'color-mix(in oklab, var(--accent) 45%, var(--surface))',
  },
  { key: 'unknown', label: texts.unknown, color: 'var(--line-strong)' },
  { key: 'failed', label: texts.failed, color: 'var(--bad)' },
];

export function OverviewPage() {
  const { api } = useTenant();
  const overview = useQuery({
    ...api.asked('/overview'),
    refetchInterval: 60_000,
  });
  return (
    <Page title={texts.title} intro={texts.intro}>
      {overview.error ? (
        <LoadProblem error={overview.error} />
      ) : overview.data ? (
        <Overview data={overview.data} />
      ) : (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
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
        <DayChart
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
