import { useState } from 'react';
import type { ThreadData } from '../../api/records.ts';
import { useNumbers } from '../numbers/use-numbers.ts';

/**
 * The number that sends: the one that the member chose for this conversation, otherwise that of its latest message,
 * otherwise the default.
 */
export function useSender({ phone, number_id }: ThreadData) {
  const { data } = useNumbers();
  const [chosen, setChosen] = useState<{ phone: string; id: number }>();
  const numbers = data?.numbers ?? [];
  const id = chosen?.phone === phone ? chosen.id : number_id;
  return {
    numbers,
    sender: numbers.find((number) => number.id === id) ?? numbers.find((each) => each.default),
    chooseSender: (number: number) => setChosen({ phone, id: number }),
  };
}
