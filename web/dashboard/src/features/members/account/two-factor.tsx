import { useState } from 'react';
import { Button, buttonLook } from '../../../../../parts/buttons/button.tsx';
import { CopyField } from '../../../../../parts/fields/copy-field.tsx';
import { TextField } from '../../../../../parts/fields/field.tsx';
import { ResultDialog } from '../../../../../parts/overlays/form-dialog.tsx';
import { Badge } from '../../../../../parts/page/badge.tsx';
import { Card, Notice } from '../../../../../parts/page/page.tsx';
import { account as t } from '../../../../../texts/account.ts';
import { auth } from '../../../api/client.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { sessionQuery, useSession } from '../../../session.ts';
import { QrCode } from './qr-code.tsx';

type SetUp = { totpURI: string; backupCodes: string[] };

type Asking = 'start' | 'stop' | 'codes';

const questions: Record<Asking, { title: string; description?: string; submit: string }> = {
  start: { title: t('twoTitle'), submit: t('continue') },
  stop: { title: t('twoTitle'), submit: t('twoStop') },
  codes: { title: t('newCodes'), description: t('newCodesText'), submit: t('newCodes') },
};

/** Switches the second step of sign-in on or off, or makes new backup codes; each asks for the password. */
export function TwoFactor() {
  const { two_factor: isOn } = useSession();
  const [asking, setAsking] = useState<Asking>();
  const [setUp, setSetUp] = useState<SetUp>();
  const [newCodes, setNewCodes] = useState<string[]>();
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {t('twoTitle')} {isOn && <Badge tone="good">{t('twoBadge')}</Badge>}
        </span>
      }
      intro={isOn ? t('twoOn') : t('twoOff')}
    >
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsking(isOn ? 'stop' : 'start')}>
          {isOn ? t('twoStop') : t('twoStart')}
        </Button>
        {isOn && <Button onClick={() => setAsking('codes')}>{t('newCodes')}</Button>}
      </div>
      {asking && (
        <PasswordDialog
          asking={asking}
          onClose={() => setAsking(undefined)}
          onSetUp={setSetUp}
          onCodes={setNewCodes}
        />
      )}
      {setUp && <SetUpDialog setUp={setUp} onClose={() => setSetUp(undefined)} />}
      {newCodes && <BackupCodes codes={newCodes} onClose={() => setNewCodes(undefined)} />}
    </Card>
  );
}

/** Asks for the password, and then does what was asked for. */
function PasswordDialog({
  asking,
  onClose,
  onSetUp,
  onCodes,
}: {
  asking: Asking;
  onClose: () => void;
  onSetUp: (setUp: SetUp) => void;
  onCodes: (codes: string[]) => void;
}) {
  const form = useForm({
    values: { password: '' },
    save: async (_, body) => {
      if (asking === 'start') {
        const made = await auth.post('/two-factor/enable', { body });
        return () => onSetUp(made);
      }
      if (asking === 'codes') {
        const { backupCodes } = await auth.post('/two-factor/generate-backup-codes', { body });
        return () => onCodes(backupCodes);
      }
      await auth.post('/two-factor/disable', { body });
      return () => {};
    },
    done: asking === 'stop' ? t('twoStopped') : undefined,
    refresh: [sessionQuery.queryKey],
    onDone: (showResult) => {
      onClose();
      showResult();
    },
  });
  return (
    <FormDialog form={form} guarded={false} {...questions[asking]} onClose={onClose}>
      <TextField
        {...form.text('password')}
        label={t('confirmPassword')}
        type="password"
        autoComplete="current-password"
        required
      />
    </FormDialog>
  );
}

function SetUpDialog({ setUp, onClose }: { setUp: SetUp; onClose: () => void }) {
  const [verified, setVerified] = useState(false);
  const form = useForm({
    values: { code: '' },
    clean: ({ code }) => ({ code: code.replaceAll(' ', '') }),
    save: (_, body) => auth.post('/two-factor/verify-totp', { body }),
    done: t('twoStarted'),
    refresh: [sessionQuery.queryKey],
    onDone: () => setVerified(true),
  });
  if (verified) return <BackupCodes codes={setUp.backupCodes} onClose={onClose} />;
  const key = new URL(setUp.totpURI).searchParams.get('secret') ?? '';
  return (
    <FormDialog
      form={form}
      guarded={false}
      title={t('scanTitle')}
      description={t('scanStep')}
      submit={t('verify')}
      onClose={onClose}
    >
      <QrCode text={setUp.totpURI} label={t('qrCode')} />
      <CopyField label={t('key')} value={key} />
      <a href={setUp.totpURI} className={buttonLook('plain')}>
        {t('openApp')}
      </a>
      <TextField
        {...form.text('code')}
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
      />
    </FormDialog>
  );
}

function BackupCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <ResultDialog title={t('backupTitle')} onClose={onClose}>
      <Notice tone="warn">{t('backupText')}</Notice>
      <CopyField label={t('backupCodes')} value={codes.join(' ')} />
      <ul className="grid grid-cols-2 gap-1 font-mono text-sm">
        {codes.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </ResultDialog>
  );
}
