import { useState } from 'react';
import type { ThreadData } from '../../../../api/records.ts';
import { useNumbers } from '../../../numbers/use-numbers.ts';

/**
 * The number that sends: the one that the member chose for this conversation, otherwise that of its latest message,
 * otherwise the default.
 */
export function useSender({ phone, number_id, windows }: ThreadData) {
  const { data, error } = useNumbers(60_000);
  const [chosen, setChosen] = useState<{ phone: string; id: number }>();
  const numbers = data?.numbers ?? [];
  const id = chosen?.phone === phone ? chosen.id : number_id;
  const sender = numbers.find((number) => number.id === id) ?? numbers.find((each) => each.default);
  // Until the numbers are loaded, the service chooses in the same way.
  const senderId = data ? sender?.id : number_id;
  return {
    numbers,
    /** Whether the numbers are loaded. */
    isKnown: data !== undefined,
    sender,
    /** The problem if the numbers could not be loaded. */
    error: data ? null : error,
    /** Whether no number is connected. */
    isMissing: data ? numbers.length === 0 : number_id === null,
    /** Until when the number may send free text to the person; null if it may not. */
    windowUntil: windows.find((each) => each.number_id === senderId)?.window_until ?? null,
    chooseSender: (number: number) => setChosen({ phone, id: number }),
  };
}
