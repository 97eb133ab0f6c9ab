import { DayChart } from './day-chart.tsx';
import { DayTooltip } from './day-tooltip.tsx';
import type { Series } from './series.tsx';

const series: Series[] = [
  { key: 'delivered', label: 'Delivered', color: 'var(--accent)' },
  { key: 'unknown', label: 'Unknown', color: 'var(--line-strong)', texture: 'dots' },
  { key: 'failed', label: 'Failed', color: 'var(--bad)', texture: 'stripes' },
];
const days = Array.from({ length: 14 }, (_, index) => ({
  day: `2026-11-${String(index + 10)}`,
  values: { delivered: 40 + ((index * 37) % 90), unknown: index % 3, failed: (index * 5) % 11 },
}));

export const messagesPerDay = (
  <DayChart label="Messages per day" empty="No messages." days={days} series={series} />
);
export const empty = <DayChart label="Nothing" empty="No messages." days={[]} series={series} />;
export const aDay = (
  <div dir="ltr" className="relative h-36">
    <DayTooltip {...days[3]!} series={series} at={25} id="a-day" />
    <div className="max-sm:hidden">
      <DayTooltip {...days[9]!} series={series} at={75} id="a-later-day" />
    </div>
  </div>
);
