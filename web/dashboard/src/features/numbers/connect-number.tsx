import { useState } from 'react';
import { TextField } from '../../../../parts/fields/field.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { BodyFor, CheckedNumberData, VisibleNumberData } from '../../api/records.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';
import { ChooseNumber } from './choose-number.tsx';
import { ConnectedResult } from './connected-result.tsx';
import { connectedText } from './connected-text.ts';

type ConnectBody = BodyFor<'/numbers', 'post'>;

const empty = { access_token: '', app_secret: '', business_account_id: '', phone_number_id: '' };

type Choices = { numbers: VisibleNumberData[]; body: ConnectBody };
type Outcome = { number: CheckedNumberData } | Choices;

/** The steps of connecting: the secrets, the choice among several numbers, and what the checks found. */
export function ConnectNumber({ onClose }: { onClose: () => void }) {
  const { api } = useTenant();
  const [choices, setChoices] = useState<Choices>();
  const [connected, setConnected] = useState<CheckedNumberData>();
  const form = useForm({
    values: empty,
    save: async (_, values): Promise<Outcome> => {
      const body = withoutBlanks(values);
      // The network is asked for what was not given.
      if (body.phone_number_id && body.business_account_id) {
        return { number: await api.post('/numbers', { body }) };
      }
      const { phone_number_id: wanted, ...secrets } = body;
      const visible = await api.post('/numbers/visible', { body: secrets });
      const numbers = visible.numbers.filter((each) => !wanted || each.phone_number_id === wanted);
      const [only] = numbers;
      if (!only || numbers.length > 1) {
        return { numbers: only ? numbers : visible.numbers, body: secrets };
      }
      return { number: await api.post('/numbers', { body: { ...secrets, ...idsOf(only) } }) };
    },
    done: (result) => ('number' in result ? connectedText(result.number) : undefined),
    refresh: [api.allKeys],
    onDone: (result) => {
      if ('number' in result) setConnected(result.number);
      else setChoices(result);
    },
  });
  if (connected) return <ConnectedResult connected={connected} onClose={onClose} />;
  if (choices) {
    return <ChooseNumber {...choices} onConnected={setConnected} onClose={onClose} />;
  }
  return (
    <FormDialog
      form={form}
      title={t('connect')}
      description={t('secretNote')}
      onClose={onClose}
      submit={t('goOn')}
    >
      <TextField
        {...form.text('access_token')}
        label={t('accessToken')}
        hint={t('accessTokenHint')}
        type="password"
        autoComplete="off"
        required
      />
      <TextField
        {...form.text('app_secret')}
        label={t('appSecret')}
        hint={t('appSecretHint')}
        type="password"
        autoComplete="off"
        required
      />
      <details>
        <summary className="w-fit cursor-pointer font-medium">{t('idsTitle')}</summary>
        <p className="mb-3 mt-1 text-sm text-muted">{t('idsText')}</p>
        <div className="grid gap-4">
          <TextField
            {...form.text('business_account_id')}
            label={t('businessAccountId')}
            hint={t('businessAccountIdHint')}
            inputMode="numeric"
            autoComplete="off"
          />
          <TextField
            {...form.text('phone_number_id')}
            label={t('phoneNumberId')}
            hint={t('phoneNumberIdHint')}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
      </details>
    </FormDialog>
  );
}

function withoutBlanks(values: typeof empty): ConnectBody {
  const given = Object.entries(values).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as ConnectBody;
}

function idsOf({ phone_number_id, business_account_id }: VisibleNumberData) {
  return { phone_number_id, business_account_id };
}
