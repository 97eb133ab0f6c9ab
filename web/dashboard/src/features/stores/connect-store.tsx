import { useState } from 'react';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { stores as texts } from '../../../../texts/stores.ts';
import type { PlatformData, StoreWithSecretData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { KeyFields, keysBody, newKeys, StoreInstructions } from './store-keys.tsx';

export function ConnectStore({
  platforms,
  onClose,
}: {
  platforms: PlatformData[];
  onClose: () => void;
}) {
  const { api } = useTenant();
  const [platform, setPlatform] = useState(platforms[0]);
  const [name, setName] = useState('');
  const [country, setCountry] = useState('');
  const [keys, setKeys] = useState(() => newKeys(platform));
  const [made, setMade] = useState<StoreWithSecretData>();
  const connect = useAction(
    () =>
      api.post('/stores', {
        body: {
          platform: platform!.name,
          name: name.trim(),
          ...(country.trim() ? { country: country.trim() } : {}),
          ...keysBody(keys),
        },
      }),
    { done: texts.created, refresh: [api.key('/stores')], onDone: setMade },
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
        value={platform?.name}
        onChange={(event) => {
          const chosen = platforms.find(({ name }) => name === event.target.value);
          setPlatform(chosen);
          setKeys({ ...keys, secretChoice: newKeys(chosen).secretChoice });
        }}
        choices={Object.fromEntries(platforms.map(({ name, title }) => [name, title]))}
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
        open={Boolean(platform?.own_secret)}
        // Otherwise the browser could not show which field is missing, and nothing would happen.
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
