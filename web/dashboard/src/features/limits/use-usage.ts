import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usage as t } from '../../../../texts/usage.ts';
import type { UsageData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import type { Period } from '../../shell/charts/period.ts';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { usageQuery } from './queries.ts';

export function useUsage(days?: Period) {
  const { api } = useTenant();
  return useQuery({
    ...usageQuery(api, days),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(15_000),
  });
}

type Day = UsageData['tokens'][number]['days'][number];

export const requestSeries = [
  { key: 'answered', label: t('answered'), color: 'var(--accent)' },
  { key: 'refusals', label: t('refused'), color: 'var(--warn)', texture: 'dots' as const },
  { key: 'failures', label: t('failed'), color: 'var(--bad)', texture: 'stripes' as const },
];

/** Requests of a day by how they were answered. */
export function requestsOf({ day, requests, refusals, failures }: Day) {
  return { day, values: { answered: requests - refusals - failures, refusals, failures } };
}
