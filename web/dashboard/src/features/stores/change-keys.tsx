import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { common } from '../../../../texts/common.ts';
import { stores as texts } from '../../../../texts/stores.ts';
import type { StoreData, StoreWithSecretData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { KeyFields, keysBody, newKeys, StoreInstructions } from './store-keys.tsx';
import { usePlatform } from './use-platforms.ts';

/** A button and a dialog to change the secret or the authentication of a store. */
export function ChangeKeys({ store }: { store: StoreData }) {
  const { api } = useTenant();
  const platform = usePlatform(store.platform);
  const [open, setOpen] = useState(false);
  const [keys, setKeys] = useState(() => newKeys(platform));
  const [made, setMade] = useState<StoreWithSecretData>();
  const save = useAction(
    () => api.put('/stores/{id}/keys', { path: { id: store.id }, body: keysBody(keys) }),
    {
      done: texts.keysSaved,
      refresh: [api.key('/stores'), api.key('/stores/{id}')],
      onDone: setMade,
    },
  );
  function begin() {
    setKeys(newKeys(platform));
    setMade(undefined);
    setOpen(true);
  }
  const close = () => setOpen(false);
  return (
    <div>
      <Button onClick={begin}>{texts.rotate}</Button>
      {open && made && (
        <ResultDialog title={texts.rotate} description={texts.rotateText} onClose={close}>
          <StoreInstructions platform={platform} made={made} />
        </ResultDialog>
      )}
      {open && !made && (
        <FormDialog
          title={texts.rotate}
          description={texts.rotateText}
          submit={common.save}
          busy={save.busy}
          onSubmit={save.run}
          onClose={close}
        >
          <KeyFields keys={keys} platform={platform} errors={save.errors} onChange={setKeys} />
        </FormDialog>
      )}
    </div>
  );
}
