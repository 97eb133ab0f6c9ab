import { formatNumber } from './format.ts';

export const charts = {
  day: 'Day',
  total: 'Total',
  chooseDay: (label: string) => `${label}: choose a day`,
  period: 'Period',
  days: (count: number) => `${count} days`,
  lastDays: (count: number) => `The last ${count} days. A day ends at midnight UTC.`,
  /** What a day has in all, for a screen reader. */
  dayTotal: (day: string, total: number, parts: string) =>
    `${day}: ${formatNumber(total)} in total. ${parts}`,
};
