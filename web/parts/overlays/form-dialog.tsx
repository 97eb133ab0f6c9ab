import { type ReactNode, type RefObject, useState } from 'react';
import { common } from '../../texts/common.ts';
import { Button } from '../buttons/button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { LeaveQuestion, type LeaveWords } from './leave-question.tsx';

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
 * @param submit the text of that button
 * @param cancel the text of the button that only closes
 * @param above an element above the buttons, which stays in view with them
 * @param besides an element before both buttons
 * @param isDirty whether closing asks first, because something was changed
 * @param leaveWords the words of that question
 */
export function FormDialog({
  submit,
  cancel = common('cancel'),
  above,
  besides,
  busy = false,
  disabled = false,
  isDirty = false,
  leaveWords,
  element,
  onSubmit,
  onClose,
  children,
  ...frame
}: Frame & {
  submit: string;
  cancel?: string;
  above?: ReactNode;
  besides?: ReactNode;
  busy?: boolean;
  disabled?: boolean;
  isDirty?: boolean;
  leaveWords?: LeaveWords | undefined;
  element?: RefObject<HTMLFormElement | null>;
  onSubmit: () => void;
}) {
  const [asking, setAsking] = useState(false);
  function close() {
    // Otherwise nobody would see the result, such as a secret that is shown once.
    if (busy) return;
    if (isDirty) setAsking(true);
    else onClose();
  }
  return (
    <Dialog open {...frame} onClose={close} onPressBeside={() => isDirty && close()}>
      <form
        ref={element}
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <DialogActions>
          {above}
          {besides}
          <Button onClick={close} disabled={busy}>
            {cancel}
          </Button>
          <Button type="submit" look="primary" busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </DialogActions>
      </form>
      <LeaveQuestion
        open={asking}
        words={leaveWords}
        onStay={() => setAsking(false)}
        onLeave={onClose}
      />
    </Dialog>
  );
}

/** A dialog that shows what came of something, such as a secret that is shown once. */
export function ResultDialog({
  done = common('done'),
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
