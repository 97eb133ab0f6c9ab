import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { TenantApi } from '../../api/client.ts';
import type { LabelData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

export type LabelKind = 'statuses' | 'sources' | 'groups';

/** The query for all labels of a kind. Only the labels of one kind have a color. */
export const labelsQuery = (api: TenantApi, kind: LabelKind) =>
  api.asked(`/${kind}`) as UseQueryOptions<LabelData[]>;

/** All labels of one kind; they are few. */
export function useLabels(kind: LabelKind) {
  const { api } = useTenant();
  return useQuery({
    ...labelsQuery(api, kind),
    staleTime: 30_000,
  });
}
