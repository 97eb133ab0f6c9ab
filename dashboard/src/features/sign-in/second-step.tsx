import { type SubmitEvent, useState } from 'react';
import { auth, Problem } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/page.tsx';
import { common } from '../../texts/common.ts';
import { signIn as texts } from '../../texts/sign-in.ts';
import { Door } from './door.tsx';

/** The code of an authenticator app, or one of the backup codes. */
export function SecondStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [byBackup, setByBackup] = useState(false);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem('');
    try {
      await auth.post(byBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', {
        code: String(form.get('code')).replaceAll(' ', ''),
        trustDevice: form.has('trust'),
      });
      onDone();
    } catch (error) {
      setProblem(error instanceof Problem ? error.message : common.somethingWrong);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Door title={texts.codeTitle} intro={byBackup ? texts.backupIntro : texts.codeIntro}>
      <form onSubmit={submit} className="grid gap-4">
        <div role="alert">{problem && <Notice tone="bad">{problem}</Notice>}</div>
        <TextField
          key={String(byBackup)}
          label={byBackup ? texts.backupCode : texts.code}
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
          <Button look="quiet" small onClick={onBack}>
            {texts.startOver}
          </Button>
          <Button look="quiet" small onClick={() => setByBackup(!byBackup)}>
            {byBackup ? texts.useApp : texts.useBackup}
          </Button>
        </div>
      </form>
    </Door>
  );
}
