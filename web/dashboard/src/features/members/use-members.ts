import { useQuery } from '@tanstack/react-query';
import { useTenant } from '../../session.ts';

/**
 * The members of the tenant, and its open invitations.
 *
 * @param staleTime how old they may be, in milliseconds
 */
export function useMembers(staleTime?: number) {
  const { api } = useTenant();
  return useQuery({ ...api.asked('/members'), ...(staleTime !== undefined && { staleTime }) });
}

/** The members of the tenant, whose names are shown in many places and rarely change. */
export function useMemberNames() {
  return useMembers(60_000).data?.members;
}
