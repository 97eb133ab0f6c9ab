import { useQuery } from '@tanstack/react-query';
import { conversations as t } from '../../../../texts/conversations.ts';
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

/** Returns a function for the name of another member, by the account. */
export function useColleagueNames(): (userId: string) => string | undefined {
  const members = useMemberNames();
  return (userId) => {
    const member = members?.find((each) => each.user_id === userId);
    return member?.is_you ? undefined : (member?.name ?? (members && t('member')));
  };
}

/** The members of the tenant, whose names are shown in many places and rarely change. */
export function useMemberNames() {
  return useMembers(60_000).data?.members;
}
