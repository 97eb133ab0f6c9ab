import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { useId } from 'react';
import { charts as t } from '../../texts/charts.ts';
import { formatDay, formatNumber } from '../../texts/format.ts';
import { DayTooltip } from './day-tooltip.tsx';
import { niceTicks } from './nice-ticks.ts';
import { fillOf, Patterns, type Series } from './series.tsx';
import { useChosenDay } from './use-chosen-day.ts';

export type Day = { day: string; values: Record<string, number> };

/**
 * Stacked bars, one for each day, with axes, and the figures of a day by mouse, touch and arrow keys. Time runs from
 * left to right in every language.
 *
 * @param series bottom first
 */
export function DayBars({
  label,
  days,
  series,
}: {
  label: string;
  days: readonly Day[];
  series: readonly Series[];
}) {
  const id = useId();
  const { chosen, handlers } = useChosenDay(days.length);
  const bands = stack<Day, string>()
    .keys(series.map(({ key }) => key))
    .value(({ values }, key) => values[key] ?? 0)([...days]);
  const ticks = niceTicks(Math.max(...(bands.at(-1)?.map(([, top]) => top) ?? [])));
  // In percent, so that the chart has any width without being measured.
  const x = scaleBand(
    days.map(({ day }) => day),
    [0, 100],
  ).paddingInner(gapOf(days.length));
  const y = scaleLinear([0, ticks.at(-1)!], [100, 0]);
  const middleOf = ({ day }: Day) => (x(day) ?? 0) + x.bandwidth() / 2;
  const shown = chosen === undefined ? undefined : days[chosen];
  return (
    <div dir="ltr" className="flex gap-3">
      <div className="figures relative h-40 text-end text-xs/4 text-muted" aria-hidden>
        {/* As wide as the greatest value. */}
        <span className="invisible">{formatNumber(ticks.at(-1)!)}</span>
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute end-0 -translate-y-1/2"
            style={{ top: `${y(tick)}%` }}
          >
            {formatNumber(tick)}
          </span>
        ))}
      </div>
      <div className="min-w-0 grow">
        <div
          role="slider"
          tabIndex={0}
          aria-label={t('chooseDay', { label })}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(chosen ?? days.length - 1) + 1}
          aria-valuetext={saidOf(shown ?? days.at(-1)!, series)}
          className="relative h-40 touch-pan-y"
          {...handlers}
        >
          <svg className="absolute size-full overflow-visible forced-color-adjust-none" aria-hidden>
            <Patterns series={series} id={id} />
            {shown && (
              <rect
                x={`${middleOf(shown) - x.step() / 2}%`}
                width={`${x.step()}%`}
                height="100%"
                style={{ fill: 'var(--sunken)' }}
              />
            )}
            {ticks.map((tick) => (
              <line
                key={tick}
                x2="100%"
                y1={`${y(tick)}%`}
                y2={`${y(tick)}%`}
                style={{ stroke: 'var(--line)' }}
              />
            ))}
            {series.map((each, index) =>
              bands[index]!.map(
                ([from, to], day) =>
                  to > from && (
                    <rect
                      key={`${each.key} ${days[day]!.day}`}
                      x={`${x(days[day]!.day)}%`}
                      width={`${x.bandwidth()}%`}
                      y={`${y(to)}%`}
                      height={`${y(from) - y(to)}%`}
                      style={{ fill: fillOf(each, id), stroke: 'var(--surface)', strokeWidth: 0.5 }}
                    />
                  ),
              ),
            )}
          </svg>
          {shown && (
            <DayTooltip {...shown} series={series} at={middleOf(shown)} id={`${id}-${shown.day}`} />
          )}
        </div>
        <div className="figures relative mt-1.5 h-4 text-xs/4 text-muted" aria-hidden>
          {labelled(days).map((day, index) => (
            <span
              key={day.day}
              // On a narrow screen there is room for half of them.
              className={`absolute -translate-x-1/2 whitespace-nowrap ${index % 2 ? 'max-sm:hidden' : ''}`}
              style={{ left: `${middleOf(day)}%` }}
            >
              {formatDay(day.day)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function gapOf(days: number): number {
  return days > 45 ? 0.15 : 0.25;
}

/** The days with their date below, the last one first. */
function labelled(days: readonly Day[]): Day[] {
  const every = days.length <= 7 ? 1 : days.length <= 14 ? 2 : days.length <= 31 ? 7 : 14;
  return days.toReversed().filter((_, index) => index % every === 0);
}

function saidOf({ day, values }: Day, series: readonly Series[]): string {
  const total = series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  const parts = series.map(({ key, label }) => `${label}: ${formatNumber(values[key] ?? 0)}`);
  return t('dayTotal', { day: formatDay(day), total, parts: parts.join(', ') });
}
