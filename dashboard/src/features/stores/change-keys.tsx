import { useState } from 'react';
import type { StoreData, StoreWithSecretData } from '../../../../src/stores/dashboard-schema.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useTenant } from '../../session.ts';
import { common } from '../../texts/common.ts';
import { stores as texts } from '../../texts/stores.ts';
import { KeyFields, keysBody, newKeys, StoreInstructions } from './store-keys.tsx';

/** Gives a store another secret or authentication. */
export function ChangeKeys({ store }: { store: StoreData }) {
  const { api, key } = useTenant();
  const [open, setOpen] = useState(false);
  const [keys, setKeys] = useState(newKeys);
  const [made, setMade] = useState<StoreWithSecretData>();
  const save = useAction(
    () => api.put<StoreWithSecretData>(`/stores/${store.id}/keys`, keysBody(keys)),
    { done: texts.keysSaved, refresh: [key('stores')], onDone: setMade },
  );
  function close() {
    setOpen(false);
    setMade(undefined);
    setKeys(newKeys);
  }
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{texts.rotate}</Button>
      <Dialog title={texts.rotate} description={texts.rotateText} open={open} onClose={close}>
        {made ? (
          <>
            <StoreInstructions platform={store.platform} made={made} />
            <DialogActions>
              <Button look="primary" onClick={close}>
                {common.done}
              </Button>
            </DialogActions>
          </>
        ) : (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              save.run();
            }}
          >
            <KeyFields
              keys={keys}
              platform={store.platform}
              errors={save.errors}
              onChange={setKeys}
            />
            <DialogActions>
              <Button onClick={close}>{common.cancel}</Button>
              <Button type="submit" look="primary" busy={save.busy}>
                {common.save}
              </Button>
            </DialogActions>
          </form>
        )}
      </Dialog>
    </div>
  );
}
