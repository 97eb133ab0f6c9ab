import { useBlocker } from '@tanstack/react-router';
import { LeaveQuestion } from '../../../parts/leave-question.tsx';
import type { FormState } from './use-form.ts';

/**
 * Asks before a link, the browser's Back or closing the tab loses what was changed in a form.
 *
 * @param inDialog whether another view of the same page, such as another filter, would close the form too
 */
export function LeaveGuard({ form, inDialog }: { form: FormState; inDialog: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (inDialog || current.pathname !== next.pathname) && form.hasUnsaved(),
    enableBeforeUnload: form.hasUnsaved,
    disabled: !form.isDirty,
    withResolver: true,
  });
  return (
    <LeaveQuestion
      open={status === 'blocked'}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  );
}
