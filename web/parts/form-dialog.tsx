import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

type Frame = {
  title: ReactNode;
  description?: ReactNode;
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A dialog that asks for something: its fields, and below them the button that does it.
 *
 * @param submit the words of that button
 * @param cancel the words of the one that only closes
 * @param besides stands before the two
 */
export function FormDialog({
  submit,
  cancel = common.cancel,
  besides,
  busy = false,
  disabled = false,
  onSubmit,
  onClose,
  children,
  ...frame
}: Frame & {
  submit: string;
  cancel?: string;
  besides?: ReactNode;
  busy?: boolean;
  disabled?: boolean;
  onSubmit: () => void;
}) {
  return (
    <Dialog
      open
      {...frame}
      // What comes of it, such as a secret that is shown once, would be seen by nobody.
      onClose={() => !busy && onClose()}
    >
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <DialogActions>
          {besides}
          <Button onClick={onClose} disabled={busy}>
            {cancel}
          </Button>
          <Button type="submit" look="primary" busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A dialog that shows what came of something, such as a secret that is shown once. */
export function ResultDialog({
  done = common.done,
  children,
  ...frame
}: Frame & { done?: string }) {
  return (
    <Dialog open {...frame}>
      <div className="grid grid-cols-1 gap-4">{children}</div>
      <DialogActions>
        <Button look="primary" onClick={frame.onClose}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
