import { type FormEvent, useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { TextField } from '../../../../parts/fields/field.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { Verify } from './use-verify.ts';

/** Asks for the PIN with which a number is registered. */
export function RegisterNumber({ verify }: { verify: Verify }) {
  const [pin, setPin] = useState('');
  function register(event: FormEvent) {
    event.preventDefault();
    // The form of a dialog must not be sent along with it.
    event.stopPropagation();
    verify.run({ pin });
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={register}>
      <TextField
        label={t('pin')}
        inputMode="numeric"
        autoComplete="off"
        pattern="[0-9]{6}"
        maxLength={6}
        required
        value={pin}
        onChange={({ target }) => setPin(target.value)}
      />
      <Button type="submit" busy={verify.busy}>
        {t('register')}
      </Button>
    </form>
  );
}
