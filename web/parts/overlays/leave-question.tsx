import { useRef } from 'react';
import { common } from '../../texts/common.ts';
import { Confirm } from './dialog.tsx';

/** The words of the question: its title, a text, and its two buttons. */
export type LeaveWords = { title: string; text: string; leave: string; stay: string };

/** Asks whether to drop what was changed and not saved, or what the words say. */
export function LeaveQuestion({
  open,
  words = {
    title: common('unsavedTitle'),
    text: common('unsavedText'),
    leave: common('discard'),
    stay: common('keepEditing'),
  },
  onStay,
  onLeave,
}: {
  open: boolean;
  words?: LeaveWords | undefined;
  onStay: () => void;
  onLeave: () => void;
}) {
  const isLeaving = useRef(false);
  return (
    <Confirm
      title={words.title}
      description={words.text}
      action={words.leave}
      cancel={words.stay}
      open={open}
      onClose={() => {
        if (!isLeaving.current) onStay();
        isLeaving.current = false;
      }}
      onConfirm={async () => {
        isLeaving.current = true;
        onLeave();
      }}
    />
  );
}
