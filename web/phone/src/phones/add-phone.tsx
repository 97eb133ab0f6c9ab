import { useState } from 'react';
import { Problem } from '../../../parts/behaviour/problem.ts';
import { TextField } from '../../../parts/fields/field.tsx';
import { FormDialog } from '../../../parts/overlays/form-dialog.tsx';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { phone as t } from '../../../texts/phone.ts';
import { addressOf } from '../address.ts';
import { addPhone } from '../network.ts';

/** Adds a phone to the network and opens it. */
export function AddPhone({ onClose }: { onClose: () => void }) {
  const [owner, setOwner] = useState('');
  const [number, setNumber] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function add() {
    setIsBusy(true);
    try {
      const { phone } = await addPhone(number, owner);
      onClose();
      location.hash = addressOf(phone);
    } catch (error) {
      if (error instanceof Problem && error.status === 400) setProblem(error.message);
      else showProblem(error);
      setIsBusy(false);
    }
  }
  return (
    <FormDialog
      title={t('add')}
      submit={t('addSubmit')}
      busy={isBusy}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <TextField
        label={t('addOwner')}
        placeholder={t('addOwnerExample')}
        autoComplete="off"
        maxLength={60}
        value={owner}
        onChange={(event) => setOwner(event.target.value)}
      />
      <TextField
        label={t('addNumber')}
        hint={t('addNumberHint')}
        errors={problem === undefined ? undefined : [problem]}
        type="tel"
        placeholder="+49 151 23456789"
        autoComplete="off"
        required
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
    </FormDialog>
  );
}
