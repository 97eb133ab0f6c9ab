import { common } from '../../../../../texts/common.ts';
import { stores as t } from '../../../../../texts/stores.ts';
import type { StoreData } from '../../../api/records.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { type StoreFacts, StoreFields } from './store-fields.tsx';

/** A dialog to change the name, the country and the number of a store. */
export function EditStore({ store, onClose }: { store: StoreData; onClose: () => void }) {
  const { api } = useTenant();
  const { id, name, country, number_id } = store;
  const form = useForm<StoreFacts>({
    values: { name, country: country ?? '', number_id },
    clean: ({ name, country, ...others }) => ({
      name: name.trim(),
      country: country.trim(),
      ...others,
    }),
    save: (changes) => api.put('/stores/{id}', { path: { id }, body: changes }),
    done: t('storeSaved'),
    refresh: [api.key('/stores'), api.key('/stores/{id}')],
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('editStore')}
      submit={common('save')}
      disabled={!form.isDirty}
      onClose={onClose}
    >
      <StoreFields form={form} />
    </FormDialog>
  );
}
