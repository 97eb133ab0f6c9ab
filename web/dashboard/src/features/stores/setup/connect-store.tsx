import { useState } from 'react';
import { SelectField } from '../../../../../parts/fields/field.tsx';
import { ResultDialog } from '../../../../../parts/overlays/form-dialog.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import type { PlatformData, StoreWithSecretData } from '../../../api/records.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { useTenant } from '../../../session.ts';
import { StoreFields } from './store-fields.tsx';
import { KeyFields, keysBody, newKeys, StoreInstructions } from './store-keys.tsx';

export function ConnectStore({
  platforms,
  onClose,
}: {
  platforms: PlatformData[];
  onClose: () => void;
}) {
  const { api } = useTenant();
  const [made, setMade] = useState<StoreWithSecretData & { platform: string }>();
  const [first] = platforms;
  const form = useForm({
    values: {
      platform: first?.name ?? '',
      name: '',
      country: '',
      number_id: null as number | null,
      ...newKeys(first),
    },
    save: async (_, { platform, name, country, number_id, ...keys }) => ({
      platform,
      ...(await api.post('/stores', {
        body: {
          platform: platform as PlatformData['name'],
          name: name.trim(),
          ...(country.trim() ? { country: country.trim() } : {}),
          number_id,
          ...keysBody(keys),
        },
      })),
    }),
    done: t('created'),
    refresh: [api.key('/stores')],
    onDone: setMade,
  });
  const findPlatform = (wanted: string) => platforms.find(({ name }) => name === wanted);
  // After it is connected, the form is empty again.
  const platform = findPlatform(made?.platform ?? form.values.platform);
  if (made) {
    return (
      <ResultDialog title={t('pasteTitle')} onClose={onClose} wide>
        <StoreInstructions platform={platform} made={made} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog form={form} title={t('connect')} onClose={onClose} submit={t('connect')}>
      <SelectField
        {...form.text('platform')}
        label={t('platform')}
        onChange={({ target: { value } }) =>
          form.set({ platform: value, secretChoice: newKeys(findPlatform(value)).secretChoice })
        }
        choices={Object.fromEntries(platforms.map(({ name, title }) => [name, title]))}
      />
      <StoreFields form={form} />
      <details
        open={Boolean(platform?.own_secret)}
        // Otherwise the browser could not show which field is missing, and nothing would happen.
        onInvalidCapture={(event) => {
          event.currentTarget.open = true;
        }}
      >
        <summary className="w-fit cursor-pointer text-sm font-medium">{t('moreSecurity')}</summary>
        <div className="mt-3 grid gap-4">
          <KeyFields form={form} platform={platform} />
        </div>
      </details>
    </FormDialog>
  );
}
