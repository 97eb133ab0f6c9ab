import { useState } from 'react';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { ResultDialog } from '../../../../parts/form-dialog.tsx';
import { numbers as texts } from '../../../../texts/numbers.ts';
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
  { name: 'phone_number_id', label: texts.phoneNumberId, hint: texts.phoneNumberIdHint },
  {
    name: 'business_account_id',
    label: texts.businessAccountId,
    hint: texts.businessAccountIdHint,
  },
  { name: 'access_token', label: texts.accessToken, hint: texts.accessTokenHint, secret: true },
  { name: 'app_secret', label: texts.appSecret, hint: texts.appSecretHint, secret: true },
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
      <ResultDialog title={texts.callbackTitle} description={texts.callbackText} onClose={onClose}>
        <CopyField label={texts.callbackUrl} value={connected.callback_url} />
        <CopyField label={texts.verifyToken} value={connected.verify_token} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={texts.connect}
      description={texts.secretNote}
      onClose={onClose}
      submit={texts.connect}
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
