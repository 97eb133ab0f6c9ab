import { formatDay, formatNumber } from '../texts/format.ts';

export type Series = { key: string; label: string; color: string };

/**
 * Stacked bars, one for each day; the same figures as a table for those who do not see it.
 *
 * @param series bottom first; `color` is a CSS colour
 * @param empty said in place of bars that are all nothing
 */
export function DayChart({
  label,
  empty,
  days,
  series,
}: {
  label: string;
  empty: string;
  days: { day: string; values: Record<string, number> }[];
  series: Series[];
}) {
  const totals = days.map(({ values }) => sum(series.map(({ key }) => values[key] ?? 0)));
  if (totals.every((total) => total === 0)) return <p className="text-muted">{empty}</p>;
  const top = niceTop(Math.max(...totals, 1));
  return (
    <figure>
      <div className="flex gap-3" aria-hidden>
        <div className="figures -my-2 flex h-44 flex-col justify-between text-right text-xs/4 text-muted">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber(top / 2)}</span>
          <span>0</span>
        </div>
        <div className="min-w-0 grow">
          <div className="relative h-40">
            <div className="absolute inset-0 flex flex-col justify-between">
              {[0, 1, 2].map((line) => (
                <div key={line} className="border-t border-line" />
              ))}
            </div>
            <div className="absolute inset-0 flex items-end gap-[3px] sm:gap-1.5">
              {days.map(({ day, values }, index) => (
                <div
                  key={day}
                  className="group flex h-full grow basis-0 flex-col justify-end rounded-t-sm hover:bg-sunken/70"
                  title={`${formatDay(day)}: ${series.map((each) => `${each.label} ${formatNumber(values[each.key] ?? 0)}`).join(', ')}`}
                >
                  {totals[index] !== 0 &&
                    series.toReversed().map(
                      ({ key, color }) =>
                        Boolean(values[key]) && (
                          <div
                            key={key}
                            className="min-h-0.5 first:rounded-t-sm forced-color-adjust-none"
                            style={{
                              height: `${((values[key] ?? 0) / top) * 100}%`,
                              background: color,
                            }}
                          />
                        ),
                    )}
                </div>
              ))}
            </div>
          </div>
          <div className="figures mt-1.5 flex justify-between text-xs text-muted">
            <span>{days[0] && formatDay(days[0].day)}</span>
            <span>{days.at(-1) && formatDay(days.at(-1)?.day ?? '')}</span>
          </div>
        </div>
      </div>
      {series.length > 1 && (
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted" aria-hidden>
          {series.map((each) => (
            <li key={each.key} className="flex items-center gap-1.5">
              <span
                className="size-2.5 rounded-sm forced-color-adjust-none"
                style={{ background: each.color }}
              />
              {each.label}
            </li>
          ))}
        </ul>
      )}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {series.map((each) => (
                <th key={each.key} scope="col">
                  {each.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, values }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                {series.map(({ key }) => (
                  <td key={key}>{formatNumber(values[key] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The next of 2, 4, 6, 8, 10, 20, 40 ... that covers the value: halves of them are whole. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * power >= value) ?? 10;
  return Math.max(2, step * power);
}
