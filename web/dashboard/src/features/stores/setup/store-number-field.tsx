import { SelectField } from '../../../../../parts/fields/field.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { nameOf, useNumbers } from '../../numbers/use-numbers.ts';

/** Chooses the number that sends the messages of a store, if the tenant has several or the store has one. */
export function StoreNumberField({
  value,
  errors,
  disabled,
  onChange,
}: {
  value: number | null;
  errors?: string[] | undefined;
  disabled?: boolean;
  onChange: (id: number | null) => void;
}) {
  const numbers = useNumbers().data?.numbers ?? [];
  if (numbers.length < 2 && value === null) return null;
  const isGone = value !== null && numbers.every(({ id }) => id !== value);
  return (
    <SelectField
      label={t('number')}
      hint={t('numberHint')}
      errors={errors}
      disabled={disabled}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value ? Number(target.value) : null)}
    >
      <option value="">{t('anyNumber')}</option>
      {isGone && <option value={value}>{t('numberGone')}</option>}
      {numbers.map((number) => (
        <option key={number.id} value={number.id}>
          {nameOf(number)}
        </option>
      ))}
    </SelectField>
  );
}
