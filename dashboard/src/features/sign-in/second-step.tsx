import { type SubmitEvent, useState } from 'react';
import { auth, Problem } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/page.tsx';
import { common } from '../../texts/common.ts';
import { signIn as texts } from '../../texts/sign-in.ts';
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
  onBack: (why?: string) => void;
}) {
  const [byBackup, setByBackup] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      await auth.post(byBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', {
        code: String(form.get('code')).replaceAll(' ', ''),
        trustDevice: form.has('trust'),
      });
      onDone();
    } catch (error) {
      const found = error instanceof Problem ? error : new Problem(0, common.somethingWrong);
      // No code is taken any more after too many wrong ones, or when too long went by.
      if (found.status === 401 || found.status === 429) onBack(found.message);
      else setProblem(found);
    } finally {
      setBusy(false);
    }
  }

  function switchKind() {
    setByBackup(!byBackup);
    setProblem(undefined);
  }

  const other = problem && !problem.errors.code ? problem.message : '';
  return (
    <Door title={texts.codeTitle} intro={byBackup ? texts.backupIntro : texts.codeIntro}>
      <form onSubmit={submit} className="grid gap-4">
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
