import { useState } from 'react';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { numbers as texts } from '../../../../texts/numbers.ts';
import type { BodyFor, NumberData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

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
  const [values, setValues] = useState(empty);
  const [connected, setConnected] = useState<NumberData>();
  const connect = useAction(() => api.post('/numbers', { body: values }), {
    done: texts.connected,
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
      title={texts.connect}
      description={texts.secretNote}
      onClose={onClose}
      submit={texts.connect}
      busy={connect.busy}
      onSubmit={connect.run}
    >
      {fields.map(({ name, label, hint, secret }) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          errors={connect.errors[name]}
          type={secret ? 'password' : 'text'}
          inputMode={secret ? undefined : 'numeric'}
          autoComplete="off"
          required
          value={values[name]}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
    </FormDialog>
  );
}
