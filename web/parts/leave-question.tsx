import { common } from '../texts/common.ts';
import { Confirm } from './dialog.tsx';

/** Asks whether to drop what was changed and not saved. */
export function LeaveQuestion({
  open,
  onStay,
  onLeave,
}: {
  open: boolean;
  onStay: () => void;
  onLeave: () => void;
}) {
  return (
    <Confirm
      title={common('unsavedTitle')}
      description={common('unsavedText')}
      action={common('discard')}
      cancel={common('keepEditing')}
      open={open}
      onClose={onStay}
      onConfirm={async () => onLeave()}
    />
  );
}
