import { useState } from 'react';
import type { StoreData, StoreWithSecretData } from '../../../../src/stores/dashboard-schema.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog, ResultDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useTenant } from '../../session.ts';
import { common } from '../../texts/common.ts';
import { stores as texts } from '../../texts/stores.ts';
import { KeyFields, keysBody, newKeys, StoreInstructions } from './store-keys.tsx';

/** Gives a store another secret or authentication. */
export function ChangeKeys({ store }: { store: StoreData }) {
  const { api, key } = useTenant();
  const [open, setOpen] = useState(false);
  const [keys, setKeys] = useState(() => newKeys(store.platform));
  const [made, setMade] = useState<StoreWithSecretData>();
  const save = useAction(
    () => api.put<StoreWithSecretData>(`/stores/${store.id}/keys`, keysBody(keys)),
    { done: texts.keysSaved, refresh: [key('stores')], onDone: setMade },
  );
  function close() {
    setOpen(false);
    setMade(undefined);
    setKeys(newKeys(store.platform));
  }
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{texts.rotate}</Button>
      {open && made && (
        <ResultDialog title={texts.rotate} description={texts.rotateText} onClose={close}>
          <StoreInstructions platform={store.platform} made={made} />
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
          <KeyFields
            keys={keys}
            platform={store.platform}
            errors={save.errors}
            onChange={setKeys}
          />
        </FormDialog>
      )}
    </div>
  );
}
