import { numbers as t } from '../../../../texts/numbers.ts';
import type { NumberData } from '../../api/records.ts';

/** What a person is told about a number that was just connected. */
export function connectedText(number: NumberData): string {
  return number.default ? t('connectedDefault') : t('connected');
}
