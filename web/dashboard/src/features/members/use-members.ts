import { useQuery } from '@tanstack/react-query';
import type { MembersData } from '../../../../../src/members/dashboard-schema.ts';
import { useTenant } from '../../session.ts';

/** The members of the tenant, and its open invitations. */
export function useMembers() {
  const { api, key } = useTenant();
  return useQuery({
    queryKey: key('members'),
    queryFn: () => api.get<MembersData>('/members'),
  });
}
