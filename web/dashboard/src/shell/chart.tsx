import { type ComponentProps, Suspense } from 'react';
import type { DayChart as DayChartPart } from '../../../parts/chart/day-chart.tsx';
import { lazyPart } from './lazy-part.ts';

/** Loaded beside the data of the page, not after it. */
const loading = import('../../../parts/chart/day-chart.tsx');
loading.catch(() => {});

const DayChart = lazyPart(() => loading, 'DayChart');

/** A chart. Its code comes after that of the page, in a space of the same height. */
export function Chart(props: ComponentProps<typeof DayChartPart>) {
  return (
    <Suspense fallback={<div className="skeleton h-48" />}>
      <DayChart {...props} />
    </Suspense>
  );
}
