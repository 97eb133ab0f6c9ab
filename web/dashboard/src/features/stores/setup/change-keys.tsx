import { useState } from 'react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { ResultDialog } from '../../../../../parts/overlays/form-dialog.tsx';
import { common } from '../../../../../texts/common.ts';
import { stores as t } from '../../../../../texts/stores.ts';
import type { StoreData, StoreWithSecretData } from '../../../api/records.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { changedKeysBody, KeyFields, keptKeys, StoreInstructions } from './store-keys.tsx';
import { usePlatform } from './use-platforms.ts';

/** A button and a dialog to change the secret or the authentication of a store. */
export function ChangeKeys({ store }: { store: StoreData }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>{t('rotate')}</Button>
      {isOpen && <ChangeKeysDialog store={store} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function ChangeKeysDialog({ store, onClose }: { store: StoreData; onClose: () => void }) {
  const { api } = useTenant();
  const platform = usePlatform(store.platform);
  const [made, setMade] = useState<StoreWithSecretData>();
  const form = useForm({
    values: keptKeys,
    save: (_, keys) =>
      api.put('/stores/{id}/keys', { path: { id: store.id }, body: changedKeysBody(keys) }),
    done: t('keysSaved'),
    refresh: [api.key('/stores'), api.key('/stores/{id}')],
    // Only a new secret must be entered in the store.
    onDone: (changed) => (changed.secret === null ? onClose() : setMade(changed)),
  });
  const frame = { title: t('rotate'), description: t('rotateText'), onClose };
  if (made) {
    return (
      <ResultDialog {...frame}>
        <StoreInstructions platform={platform} made={made} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog {...frame} form={form} submit={common('save')} disabled={!form.isDirty}>
      <KeyFields form={form} platform={platform} canKeep />
    </FormDialog>
  );
}
