import { useQuery } from '@tanstack/react-query';
import type { NumberData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

/** The numbers of the tenant. */
export function useNumbers() {
  const { api } = useTenant();
  return useQuery({
    ...api.asked('/numbers'),
  });
}

/** The name of a number: its phone if that is known, otherwise its id. */
export function nameOf({ display_phone_number, phone_number_id }: NumberData): string {
  return display_phone_number ?? phone_number_id;
}
