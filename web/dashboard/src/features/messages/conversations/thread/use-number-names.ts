import { conversations as t } from '../../../../../../texts/conversations.ts';
import { nameOf, useNumbers } from '../../../numbers/use-numbers.ts';

/**
 * Returns a function for the name of a number in a conversation, which has none as long as the tenant has one number.
 */
export function useNumberNames(): (id: number) => string | undefined {
  const { data } = useNumbers(60_000);
  const numbers = data?.numbers ?? [];
  return (id) => {
    const found = numbers.find((number) => number.id === id);
    if (numbers.length > 1) return found ? nameOf(found) : t('disconnectedNumber');
    // Messages of numbers that are no longer connected stay.
    return found || numbers.length === 0 ? undefined : t('disconnectedNumber');
  };
}
