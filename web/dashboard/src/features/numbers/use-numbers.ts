import { useQuery } from '@tanstack/react-query';
import { useTenant } from '../../session.ts';

/** The numbers of the tenant. */
export function useNumbers() {
  const { api } = useTenant();
  return useQuery({
    ...api.asked('/numbers'),
  });
}
