import { useState } from 'react';
import { TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { conversations as texts } from '../../../../texts/conversations.ts';
import { readWrittenPhone } from '../contacts/written-phone.ts';

export function NewConversation({
  onClose,
  onOpen,
}: {
  onClose: () => void;
  onOpen: (phone: string) => void;
}) {
  const [phone, setPhone] = useState('');
  const digits = readWrittenPhone(phone);
  return (
    <FormDialog
      title={texts.newTitle}
      onClose={onClose}
      submit={texts.open}
      disabled={!/^\+[1-9]\d{4,14}$/.test(digits)}
      onSubmit={() => onOpen(digits)}
    >
      <TextField
        label={texts.phone}
        hint={texts.phoneHint}
        type="tel"
        required
        value={phone}
        onChange={(event) => setPhone(event.target.value)}
      />
    </FormDialog>
  );
}
