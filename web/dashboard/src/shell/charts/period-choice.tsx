import { charts as t } from '../../../../texts/charts.ts';
import { type Period, periods } from './period.ts';

/** Chooses the period of the charts of a page. */
export function PeriodChoice({
  value,
  onChange,
}: {
  value: Period;
  onChange: (period: Period) => void;
}) {
  return (
    <fieldset className="flex gap-1 rounded-lg bg-sunken p-1 print:hidden">
      <legend className="sr-only">{t('period')}</legend>
      {periods.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === value}
          onClick={() => onChange(days)}
          className="rounded-md px-2.5 py-1 text-sm whitespace-nowrap text-muted hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent-strong forced-colors:aria-pressed:underline"
        >
          {t('days', { count: days })}
        </button>
      ))}
    </fieldset>
  );
}
