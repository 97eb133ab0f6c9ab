import { useId } from 'react';
import { charts as t } from '../../texts/charts.ts';
import { formatDay, formatNumber } from '../../texts/format.ts';
import { Table } from '../page/table.tsx';
import { type Day, DayBars } from './day-bars.tsx';
import { type Series, Swatch } from './series.tsx';

/**
 * The figures of days as a chart with a legend, and as a table for screen readers.
 *
 * @param series bottom first
 * @param empty the text in place of a chart that has no figures
 */
export function DayChart({
  label,
  empty,
  days,
  series,
}: {
  label: string;
  empty: string;
  days: readonly Day[];
  series: readonly Series[];
}) {
  const id = useId();
  if (days.every(({ values }) => series.every(({ key }) => !values[key]))) {
    return <p className="text-muted">{empty}</p>;
  }
  return (
    <figure>
      <DayBars label={label} days={days} series={series} />
      {series.length > 1 && (
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted" aria-hidden>
          {series.map((each) => (
            <li key={each.key} className="flex items-center gap-1.5">
              <Swatch series={each} id={`${id}-${each.key}`} />
              {each.label}
            </li>
          ))}
        </ul>
      )}
      <div className="sr-only">
        <Table
          caption={label}
          items={days}
          keyOf={({ day }) => day}
          columns={[
            { key: 'day', title: t('day'), isRowHeader: true, cell: ({ day }) => formatDay(day) },
            ...series.map(({ key, label: title }) => ({
              key,
              title,
              cell: ({ values }: Day) => formatNumber(values[key] ?? 0),
            })),
          ]}
        />
      </div>
    </figure>
  );
}
