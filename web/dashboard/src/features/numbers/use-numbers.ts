import { useQuery } from '@tanstack/react-query';
import type { NumbersData } from '../../../../../src/numbers/dashboard-schema.ts';
import { useTenant } from '../../session.ts';

/** The numbers of the tenant. */
export function useNumbers() {
  const { api, key } = useTenant();
  return useQuery({
    queryKey: key('numbers'),
    queryFn: () => api.get<NumbersData>('/numbers'),
  });
}
