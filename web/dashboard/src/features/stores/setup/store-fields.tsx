import { TextField } from '../../../../../parts/fields/field.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import type { FormOf } from '../../../form/use-form.ts';
import { StoreNumberField } from './store-number-field.tsx';

export type StoreFacts = { name: string; country: string; number_id: number | null };

/** The fields for the name, the country and the number of a store. */
export function StoreFields({ form }: { form: FormOf<StoreFacts> }) {
  return (
    <>
      <TextField
        {...form.text('name')}
        label={t('name')}
        hint={t('nameHint')}
        required
        maxLength={200}
      />
      <TextField
        {...form.text('country')}
        label={t('country')}
        hint={t('countryHint')}
        optional
        maxLength={2}
        onChange={({ target: { value } }) => form.set({ country: value.toUpperCase() })}
      />
      <StoreNumberField {...form.field('number_id')} />
    </>
  );
}
