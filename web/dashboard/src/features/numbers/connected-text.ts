import { numbers as t } from '../../../../texts/numbers.ts';
import type { NumberData } from '../../api/records.ts';

/** The notice after a number was connected. */
export function connectedText(number: NumberData): string {
  return number.default ? t('connectedDefault') : t('connected');
}
