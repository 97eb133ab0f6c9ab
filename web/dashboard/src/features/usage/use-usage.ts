import { useQuery } from '@tanstack/react-query';
import { usage as texts } from '../../../../texts/usage.ts';
import type { UsageData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

export function useUsage() {
  const { api } = useTenant();
  return useQuery({
    ...api.asked('/usage'),
    refetchInterval: 15_000,
  });
}

type Day = UsageData['tokens'][number]['days'][number];

export const requestSeries = [
  { key: 'answered', label: texts.answered, color: 'var(--accent)' },
  { key: 'refusals', label: texts.refused, color: 'var(--warn)' },
  { key: 'failures', label: texts.failed, color: 'var(--bad)' },
];

/** Requests of a day by how they were answered. */
export function requestsOf({ day, requests, refusals, failures }: Day) {
  return { day, values: { answered: requests - refusals - failures, refusals, failures } };
}
