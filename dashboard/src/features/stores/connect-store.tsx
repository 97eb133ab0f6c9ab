import { useState } from 'react';
import type { StoreWithSecretData } from '../../../../src/stores/dashboard-schema.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useTenant } from '../../session.ts';
import { stores as texts } from '../../texts/stores.ts';
import { KeyFields, keysBody, newKeys, type Platform, StoreInstructions } from './store-keys.tsx';

export function ConnectStore({ onClose }: { onClose: () => void }) {
  const { api, key } = useTenant();
  const [platform, setPlatform] = useState<Platform>('woocommerce');
  const [name, setName] = useState('');
  const [country, setCountry] = useState('');
  const [keys, setKeys] = useState(() => newKeys(platform));
  const [made, setMade] = useState<StoreWithSecretData>();
  const connect = useAction(
    () =>
      api.post<StoreWithSecretData>('/stores', {
        platform,
        name: name.trim(),
        ...(country.trim() ? { country: country.trim() } : {}),
        ...keysBody(keys),
      }),
    { done: texts.created, refresh: [key('stores')], onDone: setMade },
  );
  if (made) {
    return (
      <ResultDialog title={texts.pasteTitle} onClose={onClose} wide>
        <StoreInstructions platform={platform} made={made} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      title={texts.connect}
      onClose={onClose}
      submit={texts.connect}
      busy={connect.busy}
      onSubmit={connect.run}
    >
      <SelectField
        label={texts.platform}
        errors={connect.errors.platform}
        value={platform}
        onChange={(event) => {
          const chosen = event.target.value as Platform;
          setPlatform(chosen);
          setKeys({ ...keys, secretChoice: newKeys(chosen).secretChoice });
        }}
        choices={texts.platforms}
      />
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        errors={connect.errors.name}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={texts.country}
        hint={texts.countryHint}
        errors={connect.errors.country}
        optional
        maxLength={2}
        value={country}
        onChange={(event) => setCountry(event.target.value.toUpperCase())}
      />
      <details
        open={platform === 'shopify'}
        // Else the browser could not show what is missing, and nothing would happen.
        onInvalidCapture={(event) => {
          event.currentTarget.open = true;
        }}
      >
        <summary className="w-fit cursor-pointer text-sm font-medium">{texts.moreSecurity}</summary>
        <div className="mt-3 grid gap-4">
          <KeyFields keys={keys} platform={platform} errors={connect.errors} onChange={setKeys} />
        </div>
      </details>
    </FormDialog>
  );
}
