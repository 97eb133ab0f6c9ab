import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonLook } from '../../../../parts/buttons/button.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Figure, Figures } from '../../../../parts/page/figures.tsx';
import { Card, Notice, Page } from '../../../../parts/page/page.tsx';
import { apiSettings } from '../../../../texts/api-settings.ts';
import { charts } from '../../../../texts/charts.ts';
import { formatList, formatNumber, formatPercent, toClock } from '../../../../texts/format.ts';
import { overview as t } from '../../../../texts/overview.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { OverviewData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useTenant } from '../../session.ts';
import { Chart } from '../../shell/charts/chart.tsx';
import { PeriodChoice } from '../../shell/charts/period-choice.tsx';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { SimulatedNotice } from '../numbers/simulated-notice.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health.tsx';
import { overviewQuery, usualPeriod } from './queries.ts';

/** A link that is as large as its figure. */
const covering = 'after:absolute after:inset-0 after:rounded-xl hover:underline';

const series = [
  { key: 'delivered', label: t('delivered'), color: 'var(--accent)' },
  {
    key: 'on_the_way',
    label: t('onTheWay'),
    color: 'color-mix(in oklab, var(--accent) 45%, var(--surface))',
  },
  { key: 'unknown', label: t('unknown'), color: 'var(--line-strong)', texture: 'dots' as const },
  { key: 'failed', label: t('failed'), color: 'var(--bad)', texture: 'stripes' as const },
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
      title={t('title')}
      intro={charts('lastDays', { count: days })}
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

/** Leads to the failed messages of the period, whose days are in UTC; with a code, to those that failed with it. */
function FailedLink({
  since,
  code,
  className,
  children,
}: {
  since: string | undefined;
  code?: number | 'none';
  className: string;
  children: ReactNode;
}) {
  const { slug } = useTenant();
  return (
    <Link
      to="/t/$tenant/messages"
      params={{ tenant: slug }}
      search={{
        status: 'failed',
        error_code: code,
        since: since && toClock(`${since}T00:00:00Z`),
      }}
      className={className}
    >
      {children}
    </Link>
  );
}

function Overview({ data }: { data: OverviewData }) {
  const { slug } = useTenant();
  const total = (name: 'delivered' | 'on_the_way' | 'failed' | 'unknown' | 'received') =>
    data.days.reduce((sum, day) => sum + day[name], 0);
  const since = data.days[0]?.day;
  const delivered = total('delivered');
  const failed = total('failed');
  return (
    <>
      <SimulatedNotice phone={data.simulated_sender} />
      {data.number_problems.map(({ phone, problem, problem_says: says }) => (
        <Notice
          key={phone}
          tone="bad"
          title={t('problemTitle', { phone })}
          action={
            <Link
              to="/t/$tenant/numbers"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {t('look')}
            </Link>
          }
        >
          <Said says={says} text={problem} />
        </Notice>
      ))}
      {data.tokens_seen_in_clear.length > 0 && (
        <Notice
          tone="bad"
          title={t('inClearTitle')}
          action={
            <Link
              to="/t/$tenant/api"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {t('look')}
            </Link>
          }
        >
          {apiSettings('inClearText', {
            names: formatList(data.tokens_seen_in_clear.map((name) => `“${name}”`)),
          })}
        </Notice>
      )}
      {Object.values(data.steps).includes(false) && <FirstSteps steps={data.steps} />}
      <Figures>
        <Figure
          label={
            <Link to="/t/$tenant/conversations" params={{ tenant: slug }} className={covering}>
              {t('sent')}
            </Link>
          }
          value={formatNumber(delivered + total('on_the_way'))}
          hint={t('sentHint')}
        />
        <Figure
          label={
            <a href="#per-day" className={covering}>
              {t('deliveryRate')}
            </a>
          }
          value={formatPercent(delivered, delivered + failed)}
          hint={t('deliveryHint')}
        />
        <Figure
          label={
            <FailedLink since={since} className={covering}>
              {t('failed')}
            </FailedLink>
          }
          value={formatNumber(failed)}
          hint={t('failedHint')}
          bad={failed > 0}
        />
        <Figure
          label={
            <Link to="/t/$tenant/conversations" params={{ tenant: slug }} className={covering}>
              {t('received')}
            </Link>
          }
          value={formatNumber(total('received'))}
          hint={t('receivedHint')}
        />
      </Figures>
      <div id="per-day" className="scroll-mt-16">
        <Card title={t('chartTitle')}>
          <Chart
            label={t('chartTitle')}
            empty={t('noMessages')}
            series={series}
            days={data.days.map(({ day, ...values }) => ({ day, values }))}
          />
        </Card>
      </div>
      <Health />
      <Card
        title={t('failuresTitle')}
        actions={
          failed > 0 && (
            <FailedLink since={since} className={buttonLook('plain', true)}>
              {t('showFailed')}
            </FailedLink>
          )
        }
      >
        {data.failures.length === 0 ? (
          <p className="text-muted">{t('noFailures')}</p>
        ) : (
          <ul className="grid gap-3">
            {data.failures.map((failure) => (
              <li key={failure.code ?? 'none'} className="flex flex-wrap justify-between gap-x-6">
                <span className="min-w-0 break-words">
                  <FailedLink
                    since={since}
                    code={failure.code ?? 'none'}
                    className="hover:underline"
                  >
                    <Said says={failure.title_says} text={failure.title} />
                  </FailedLink>
                  {failure.code !== null && (
                    <span className="ml-2 font-mono text-sm text-muted">{failure.code}</span>
                  )}
                </span>
                <span className="figures text-muted">
                  {t.rich('times', {
                    count: failure.messages,
                    ago: () => <Ago at={failure.last_at} />,
                  })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}
