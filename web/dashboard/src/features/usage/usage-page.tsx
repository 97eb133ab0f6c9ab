import { Link } from '@tanstack/react-router';
import { Gauge } from 'lucide-react';
import { buttonLook } from '../../../../parts/button.tsx';
import { DayChart } from '../../../../parts/day-chart.tsx';
import { Card, EmptyState, Page, Skeleton } from '../../../../parts/page.tsx';
import { formatNumber } from '../../../../texts/format.ts';
import { usage as texts } from '../../../../texts/usage.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { UsageData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { requestSeries, requestsOf, useUsage } from './use-usage.ts';

const messageSeries = [
  { key: 'texts', label: texts.texts, color: 'var(--accent)' },
  {
    key: 'templates',
    label: texts.templates,
    color: 'color-mix(in oklab, var(--accent) 45%, var(--surface))',
  },
  { key: 'media', label: texts.media, color: 'var(--line-strong)' },
];

export function UsagePage() {
  const usage = useUsage();
  return (
    <Page title={texts.title} intro={texts.intro}>
      {usage.error ? (
        <LoadProblem error={usage.error} />
      ) : usage.data ? (
        <UsageOf usage={usage.data} />
      ) : (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
    </Page>
  );
}

function UsageOf({ usage }: { usage: UsageData }) {
  const { slug } = useTenant();
  const days = sumByDay(usage);
  return (
    <>
      <Card
        title={`${texts.plan}: ${texts.plans[usage.plan] ?? usage.plan}`}
        intro={texts.changePlan}
      >
        <table className="figures w-full text-left">
          <caption className="sr-only">{texts.compare}</caption>
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="pb-1 pr-3 font-medium last:pr-0">
                {texts.planName}
              </th>
              <th scope="col" className="pb-1 pr-3 font-medium last:pr-0">
                {texts.requestsColumn}
              </th>
              <th scope="col" className="pb-1 pr-3 font-medium last:pr-0">
                {texts.messagesColumn}
              </th>
            </tr>
          </thead>
          <tbody>
            {usage.plans.map((each) => (
              <tr
                key={each.plan}
                className={each.plan === usage.plan ? 'font-semibold' : 'text-muted'}
                aria-current={each.plan === usage.plan ? 'true' : undefined}
              >
                <th scope="row" className="py-0.5 pr-3 [font-weight:inherit]">
                  {texts.plans[each.plan] ?? each.plan}
                </th>
                <td>{formatNumber(each.requests_per_minute)}</td>
                <td>
                  {each.messages_per_day === null
                    ? texts.noLimit
                    : formatNumber(each.messages_per_day)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {usage.tokens.length === 0 ? (
        <Card>
          <EmptyState
            icon={Gauge}
            title={texts.emptyTitle}
            action={
              <Link to="/t/$tenant/api" params={{ tenant: slug }} className={buttonLook('plain')}>
                {texts.toApi}
              </Link>
            }
          >
            {texts.emptyText}
          </EmptyState>
        </Card>
      ) : (
        <>
          <Card title={texts.todayTitle}>
            <ul className="grid gap-4">
              {usage.tokens.map((token) => (
                <TokenToday key={token.id} token={token} limit={usage.messages_per_day} />
              ))}
            </ul>
          </Card>
          <Card title={texts.requestsTitle}>
            <DayChart
              label={texts.requestsTitle}
              empty={texts.notCounted}
              series={requestSeries}
              days={days.map(requestsOf)}
            />
          </Card>
          <Card title={texts.messagesTitle}>
            <DayChart
              label={texts.messagesTitle}
              empty={texts.notCounted}
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
          {limit === null
            ? texts.used(formatNumber(used))
            : texts.usedOf(formatNumber(used), formatNumber(limit))}
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
        <p className="mt-1 text-sm text-warn">{share === 1 ? texts.usedUp : texts.nearLimit}</p>
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
