import { controlLook } from '../../../../../parts/field.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
import type { NumberData } from '../../../api/records.ts';
import { nameOf } from '../../numbers/use-numbers.ts';

/** Shows which of several numbers sends, and lets one switch. */
export function SenderSelect({
  numbers,
  sender,
  onChange,
}: {
  numbers: NumberData[];
  sender: NumberData;
  onChange: (id: number) => void;
}) {
  return (
    <label className="mb-2 flex items-center gap-2 text-sm text-muted">
      {t('sendsFrom')}
      <select
        value={sender.id}
        onChange={({ target }) => onChange(Number(target.value))}
        className={`${controlLook} figures h-8 min-w-0 text-sm`}
      >
        {numbers.map((number) => (
          <option key={number.id} value={number.id}>
            {number.simulator ? t('simulatedName', { phone: nameOf(number) }) : nameOf(number)}
          </option>
        ))}
      </select>
    </label>
  );
}
