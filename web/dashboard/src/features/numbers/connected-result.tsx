import { ResultDialog } from '../../../../parts/overlays/form-dialog.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { CheckedNumberData } from '../../api/records.ts';
import { NumberChecks } from './number-checks.tsx';
import { NumberState } from './number-state.tsx';
import { nameOf, useNumbers } from './use-numbers.ts';
import { useVerify } from './use-verify.ts';

/** The results of the checks of a number that was just connected, until a message proves that it works. */
export function ConnectedResult({
  connected,
  onClose,
}: {
  connected: CheckedNumberData;
  onClose: () => void;
}) {
  const numbers = useNumbers();
  const verify = useVerify(connected);
  const checked = verify.checked ?? connected;
  const number = numbers.data?.numbers.find(({ id }) => id === connected.id) ?? checked;
  return (
    <ResultDialog title={t('resultTitle', { phone: nameOf(number) })} onClose={onClose}>
      <NumberChecks checks={checked.checks} />
      <NumberState number={number} verify={verify} />
    </ResultDialog>
  );
}
