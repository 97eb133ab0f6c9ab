import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { CheckField, TextField } from '../../../../parts/field.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { Problem } from '../../../../parts/problem.ts';
import { signIn as texts } from '../../../../texts/sign-in.ts';
import { auth } from '../../api/client.ts';
import { Door } from './door.tsx';
import { useSubmit } from './use-submit.ts';

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
  const { onSubmit, busy, problem, setProblem } = useSubmit(async (form) => {
    try {
      await auth.post(byBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', {
        body: {
          code: String(form.get('code')).replaceAll(' ', ''),
          trustDevice: form.has('trust'),
        },
      });
      onDone();
    } catch (error) {
      // No code is taken any more after too many wrong ones, or when too long went by.
      const isOver = error instanceof Problem && (error.status === 401 || error.status === 429);
      if (!isOver) throw error;
      onBack(error);
    }
  });

  function switchKind() {
    setByBackup(!byBackup);
    setProblem(undefined);
  }

  const other = problem && !problem.errors.code ? problem.message : '';
  return (
    <Door title={texts.codeTitle} intro={byBackup ? texts.backupIntro : texts.codeIntro}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <div role="alert">{other && <Notice tone="bad">{other}</Notice>}</div>
        <TextField
          key={String(byBackup)}
          label={byBackup ? texts.backupCode : texts.code}
          errors={problem?.errors.code}
          name="code"
          inputMode={byBackup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          autoFocus
          className="font-mono tracking-widest"
        />
        <CheckField label={texts.trust} name="trust" />
        <Button type="submit" look="primary" busy={busy}>
          {texts.verify}
        </Button>
        <div className="-mx-2.5 flex justify-between">
          <Button look="quiet" small onClick={() => onBack()}>
            {texts.startOver}
          </Button>
          <Button look="quiet" small onClick={switchKind}>
            {byBackup ? texts.useApp : texts.useBackup}
          </Button>
        </div>
        {byBackup && <p className="text-sm text-muted">{texts.lost}</p>}
      </form>
    </Door>
  );
}
