import { Button } from '../../../../parts/buttons/button.tsx';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { Notice } from '../../../../parts/page/page.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { NumberData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useTenant } from '../../session.ts';
import { RegisterNumber } from './register-number.tsx';
import { nameOf } from './use-numbers.ts';
import type { Verify } from './use-verify.ts';

/** Whether a number works, and what to do for that. It follows the number, which may be proven meanwhile. */
export function NumberState({ number, verify }: { number: NumberData; verify: Verify }) {
  const { can } = useTenant();
  const canWrite = can('numbers:write');
  const names = number.faults.map(({ name }) => name);
  return (
    <div className="grid gap-4" aria-live="polite">
      {number.state === 'works' && <Notice tone="good">{t('proven')}</Notice>}
      {number.state === 'not_verified' && (
        <Notice tone="warn" title={t('sendNowTitle', { phone: nameOf(number) })}>
          {number.simulator ? t('sendNowSimulated') : t('sendNowText')}
        </Notice>
      )}
      {number.problem && (
        <Notice tone="bad">
          <Said says={number.problem_says} text={number.problem} />
        </Notice>
      )}
      {number.faults.map(({ name, found, found_says, fix, fix_says }) => (
        <Notice key={name} tone="bad" title={<Said says={found_says} text={found} />}>
          <Said says={fix_says} text={fix} />
        </Notice>
      ))}
      {canWrite && names.includes('registration') && <RegisterNumber verify={verify} />}
      {canWrite && names.includes('held_callbacks') && (
        <div>
          <Button small busy={verify.busy} onClick={() => verify.run({ take_over: true })}>
            {t('takeOver')}
          </Button>
        </div>
      )}
      {canWrite && names.some((name) => ofCallbacks.includes(name)) && <ByHand number={number} />}
    </div>
  );
}

/** With one of these faults, the callbacks may have to be entered by hand. */
const ofCallbacks = ['address', 'callbacks', 'held_callbacks', 'fields', 'silence', 'token'];

function ByHand({ number }: { number: NumberData }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer font-medium">{t('callbackTitle')}</summary>
      <p className="mb-3 mt-1 text-sm text-muted">{t('callbackText')}</p>
      <div className="grid gap-3">
        <CopyField label={t('callbackUrl')} value={number.callback_url} />
        <CopyField label={t('verifyToken')} value={number.verify_token} />
      </div>
    </details>
  );
}
