import { useQuery } from '@tanstack/react-query';
import { useTenant } from '../../session.ts';

/** The members of the tenant, and its open invitations. */
export function useMembers() {
  const { api } = useTenant();
  return useQuery({
    ...api.asked('/members'),
  });
}
