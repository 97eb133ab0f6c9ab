import { useState } from 'react';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { ResultDialog } from '../../../../parts/form-dialog.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { BodyFor, NumberData } from '../../api/records.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';
import { connectedText } from './connected-text.ts';

type Values = BodyFor<'/numbers', 'post'>;

const empty: Values = {
  phone_number_id: '',
  business_account_id: '',
  access_token: '',
  app_secret: '',
};

const fields: { name: keyof Values; label: string; hint: string; secret?: true }[] = [
  { name: 'phone_number_id', label: t('phoneNumberId'), hint: t('phoneNumberIdHint') },
  {
    name: 'business_account_id',
    label: t('businessAccountId'),
    hint: t('businessAccountIdHint'),
  },
  { name: 'access_token', label: t('accessToken'), hint: t('accessTokenHint'), secret: true },
  { name: 'app_secret', label: t('appSecret'), hint: t('appSecretHint'), secret: true },
];

/** Asks for what Meta's dashboard shows, then tells what to enter there in turn. */
export function ConnectNumber({ onClose }: { onClose: () => void }) {
  const { api } = useTenant();
  const [connected, setConnected] = useState<NumberData>();
  const form = useForm({
    values: empty,
    save: (_, values) => api.post('/numbers', { body: values }),
    done: connectedText,
    refresh: [api.allKeys],
    onDone: setConnected,
  });
  if (connected) {
    return (
      <ResultDialog title={t('callbackTitle')} description={t('callbackText')} onClose={onClose}>
        <CopyField label={t('callbackUrl')} value={connected.callback_url} />
        <CopyField label={t('verifyToken')} value={connected.verify_token} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t('connect')}
      description={t('secretNote')}
      onClose={onClose}
      submit={t('connect')}
    >
      {fields.map(({ name, label, hint, secret }) => (
        <TextField
          key={name}
          {...form.text(name)}
          label={label}
          hint={hint}
          type={secret ? 'password' : 'text'}
          inputMode={secret ? undefined : 'numeric'}
          autoComplete="off"
          required
        />
      ))}
    </FormDialog>
  );
}
