import type { ComponentProps } from 'react';
import type { DayChart as DayChartPart } from '../../../../parts/chart/day-chart.tsx';
import { earlyPart } from '../loading/early-part.tsx';

const DayChart = earlyPart(() => import('../../../../parts/chart/day-chart.tsx'), 'DayChart');

/** A chart. Until its code is loaded, there is a space of the same height. */
export function Chart(props: ComponentProps<typeof DayChartPart>) {
  return <DayChart {...props} fallback={<div className="skeleton h-48" />} />;
}
