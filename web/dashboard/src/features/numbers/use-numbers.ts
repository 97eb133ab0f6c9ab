import { useQuery } from '@tanstack/react-query';
import type { NumberData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

/**
 * The numbers of the tenant.
 *
 * @param staleTime how old they may be if no event reports a change, in milliseconds
 */
export function useNumbers(staleTime?: number) {
  const { api } = useTenant();
  return useQuery({ ...api.asked('/numbers'), ...(staleTime !== undefined && { staleTime }) });
}

/** The name of a number: its phone if that is known, otherwise its id. */
export function nameOf({
  display_phone_number,
  phone_number_id,
}: Pick<NumberData, 'display_phone_number' | 'phone_number_id'>): string {
  return display_phone_number ?? phone_number_id;
}
