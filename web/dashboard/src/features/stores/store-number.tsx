import { stores as t } from '../../../../texts/stores.ts';
import type { StoreData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { StoreNumberField } from './store-number-field.tsx';

/** The number of a store, changed as soon as another one is chosen. */
export function StoreNumber({ store }: { store: StoreData }) {
  const { api } = useTenant();
  const save = useAction(
    (number_id: number | null) =>
      api.put('/stores/{id}', { path: { id: store.id }, body: { number_id } }),
    { done: t('numberSaved'), refresh: [api.key('/stores/{id}')] },
  );
  return <StoreNumberField value={store.number_id} disabled={save.busy} onChange={save.run} />;
}
