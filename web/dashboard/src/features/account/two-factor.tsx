import { useState } from 'react';
import { Badge } from '../../../../parts/badge.tsx';
import { Button, buttonLook } from '../../../../parts/button.tsx';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { Card, Notice } from '../../../../parts/page.tsx';
import { account as texts } from '../../../../texts/account.ts';
import { auth } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { sessionQuery, useSession } from '../../session.ts';
import { QrCode } from './qr-code.tsx';

type SetUp = { totpURI: string; backupCodes: string[] };

/** Switches the second step of sign-in on or off, or makes new backup codes; each asks for the password. */
export function TwoFactor() {
  const { two_factor: isOn } = useSession();
  const [asking, setAsking] = useState<'switch' | 'codes'>();
  const [password, setPassword] = useState('');
  const [setUp, setSetUp] = useState<SetUp>();
  const [newCodes, setNewCodes] = useState<string[]>();

  const begin = useAction(() => auth.post('/two-factor/enable', { body: { password } }), {
    onDone: (made) => {
      close();
      setSetUp(made);
    },
  });
  const stop = useAction(() => auth.post('/two-factor/disable', { body: { password } }), {
    done: texts.twoStopped,
    refresh: [sessionQuery.queryKey],
    onDone: close,
  });
  const renew = useAction(
    () => auth.post('/two-factor/generate-backup-codes', { body: { password } }),
    {
      onDone: ({ backupCodes }) => {
        close();
        setNewCodes(backupCodes);
      },
    },
  );
  const [action, words] =
    asking === 'codes'
      ? [renew, texts.newCodes]
      : isOn
        ? [stop, texts.twoStop]
        : [begin, texts.continue];

  function close() {
    setAsking(undefined);
    setPassword('');
    for (const each of [begin, stop, renew]) each.reset();
  }

  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {texts.twoTitle} {isOn && <Badge tone="good">{texts.twoBadge}</Badge>}
        </span>
      }
      intro={isOn ? texts.twoOn : texts.twoOff}
    >
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsking('switch')}>{isOn ? texts.twoStop : texts.twoStart}</Button>
        {isOn && <Button onClick={() => setAsking('codes')}>{texts.newCodes}</Button>}
      </div>
      {asking && (
        <FormDialog
          title={asking === 'codes' ? texts.newCodes : texts.twoTitle}
          description={asking === 'codes' ? texts.newCodesText : undefined}
          submit={words}
          busy={action.busy}
          onSubmit={action.run}
          onClose={close}
        >
          <TextField
            label={texts.confirmPassword}
            errors={action.errors.password}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </FormDialog>
      )}
      {setUp && <SetUpDialog setUp={setUp} onClose={() => setSetUp(undefined)} />}
      {newCodes && <BackupCodes codes={newCodes} onClose={() => setNewCodes(undefined)} />}
    </Card>
  );
}

function SetUpDialog({ setUp, onClose }: { setUp: SetUp; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [verified, setVerified] = useState(false);
  const verify = useAction(
    () => auth.post('/two-factor/verify-totp', { body: { code: code.replaceAll(' ', '') } }),
    {
      done: texts.twoStarted,
      refresh: [sessionQuery.queryKey],
      onDone: () => setVerified(true),
    },
  );
  if (verified) return <BackupCodes codes={setUp.backupCodes} onClose={onClose} />;
  const key = new URL(setUp.totpURI).searchParams.get('secret') ?? '';
  return (
    <FormDialog
      title={texts.scanTitle}
      description={texts.scanStep}
      submit={texts.verify}
      busy={verify.busy}
      onSubmit={verify.run}
      onClose={onClose}
    >
      <QrCode text={setUp.totpURI} label={texts.qrCode} />
      <CopyField label={texts.key} value={key} />
      <a href={setUp.totpURI} className={buttonLook('plain')}>
        {texts.openApp}
      </a>
      <TextField
        label={texts.code}
        errors={verify.errors.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  );
}

function BackupCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <ResultDialog title={texts.backupTitle} onClose={onClose}>
      <Notice tone="warn">{texts.backupText}</Notice>
      <CopyField label={texts.backupCodes} value={codes.join(' ')} />
      <ul className="grid grid-cols-2 gap-1 font-mono text-sm">
        {codes.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </ResultDialog>
  );
}
