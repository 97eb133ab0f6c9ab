import { useQuery } from '@tanstack/react-query';
import type { LabelRecord } from '../../../../../src/labels/schema.ts';
import { useTenant } from '../../session.ts';

export type LabelKind = 'statuses' | 'sources' | 'groups';

/** All labels of one kind; they are few. */
export function useLabels(kind: LabelKind) {
  const { api, key } = useTenant();
  return useQuery({
    queryKey: key('labels', kind),
    queryFn: () => api.get<LabelRecord[]>(`/${kind}`),
    staleTime: 30_000,
  });
}
