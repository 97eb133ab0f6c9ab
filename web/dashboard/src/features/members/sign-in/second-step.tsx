import { useState } from 'react';
import { Problem } from '../../../../../parts/behaviour/problem.ts';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { CheckField, TextField } from '../../../../../parts/fields/field.tsx';
import { signIn as t } from '../../../../../texts/sign-in.ts';
import { auth } from '../../../api/client.ts';
import { Faults, Form } from '../../../form/form.tsx';
import { useForm } from '../../../form/use-form.ts';
import { Door } from './door.tsx';

/**
 * The code of an authenticator app, or one of the backup codes.
 *
 * @param onBack the password is asked for again; `why`, where the person did not choose that
 */
export function SecondStep({
  onDone,
  onBack,
}: {
  onDone: () => void;
  onBack: (why?: Problem) => void;
}) {
  const [byBackup, setByBackup] = useState(false);
  const form = useForm({
    values: { code: '', trustDevice: false },
    clean: (values) => ({ ...values, code: values.code.replaceAll(' ', '') }),
    save: async (_, body) => {
      try {
        const path = byBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
        await auth.post(path, { body });
      } catch (error) {
        // No code is taken any more after too many wrong ones, or when too long went by.
        const isOver = error instanceof Problem && (error.status === 401 || error.status === 429);
        if (!isOver) throw error;
        return error;
      }
    },
    onDone: (why) => (why ? onBack(why) : onDone()),
  });

  function switchKind() {
    setByBackup(!byBackup);
    form.set({ code: '' });
  }

  return (
    <Door title={t('codeTitle')} intro={byBackup ? t('backupIntro') : t('codeIntro')}>
      <Form form={form} guarded={false}>
        <TextField
          key={String(byBackup)}
          {...form.text('code')}
          label={byBackup ? t('backupCode') : t('code')}
          name="code"
          inputMode={byBackup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          autoFocus
          className="font-mono tracking-widest"
        />
        <CheckField
          label={t('trust')}
          checked={form.values.trustDevice}
          onChange={({ target }) => form.set({ trustDevice: target.checked })}
        />
        <Faults form={form} />
        <Button type="submit" look="primary" busy={form.busy}>
          {t('verify')}
        </Button>
        <div className="-mx-2.5 flex justify-between">
          <Button look="quiet" small onClick={() => onBack()}>
            {t('startOver')}
          </Button>
          <Button look="quiet" small onClick={switchKind}>
            {byBackup ? t('useApp') : t('useBackup')}
          </Button>
        </div>
        {byBackup && <p className="text-sm text-muted">{t('lost')}</p>}
      </Form>
    </Door>
  );
}
