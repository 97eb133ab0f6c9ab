import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { common } from '../../texts/common.ts';
import { conversations as texts } from '../../texts/conversations.ts';

export function NewConversation({
  onClose,
  onOpen,
}: {
  onClose: () => void;
  onOpen: (phone: string) => void;
}) {
  const [phone, setPhone] = useState('');
  const digits = phone.replace(/[\s()./-]/g, '');
  return (
    <Dialog title={texts.newTitle} open onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onOpen(digits);
        }}
      >
        <TextField
          label={texts.phone}
          hint={texts.phoneHint}
          type="tel"
          required
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="primary" disabled={!/^\+[1-9]\d{4,14}$/.test(digits)}>
            {texts.open}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
