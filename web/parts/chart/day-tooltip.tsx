import { charts as t } from '../../texts/charts.ts';
import { formatDay, formatNumber, formatPercent } from '../../texts/format.ts';
import { type Series, Swatch } from './series.tsx';

/**
 * The figures of a day, beside its bar.
 *
 * @param at the middle of the bar, in percent of the chart's width
 */
export function DayTooltip({
  day,
  values,
  series,
  at,
  id,
}: {
  day: string;
  values: Record<string, number>;
  series: readonly Series[];
  at: number;
  id: string;
}) {
  const total = series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  const side = at < 50 ? 'left' : 'right';
  const fromSide = at < 50 ? at : 100 - at;
  return (
    <div
      className="figures pointer-events-none absolute top-0 z-10 w-44 rounded-lg border border-line bg-raised px-3 py-2 text-sm shadow-pop"
      style={{ [side]: `clamp(0px, calc(${fromSide}% + 0.75rem), calc(100% - 11rem))` }}
      aria-hidden
    >
      <p className="mb-1 font-semibold">{formatDay(day)}</p>
      <dl className="grid grid-cols-[auto_1fr_auto_3rem] items-center gap-x-1.5 gap-y-0.5">
        {series.toReversed().map((each) => {
          const value = values[each.key] ?? 0;
          return (
            <div key={each.key} className="contents">
              <Swatch series={each} id={`${id}-tip-${each.key}`} />
              <dt className="truncate text-muted">{each.label}</dt>
              <dd className="text-end">{formatNumber(value)}</dd>
              <dd className="text-end text-muted">{formatPercent(value, total)}</dd>
            </div>
          );
        })}
        {series.length > 1 && (
          <div className="contents font-semibold">
            <dt className="col-span-2">{t('total')}</dt>
            <dd className="text-end">{formatNumber(total)}</dd>
            <dd />
          </div>
        )}
      </dl>
    </div>
  );
}
