import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LeaveQuestion, type LeaveWords } from '../../../parts/overlays/leave-question.tsx';
import { isLeavingAfterSignOut } from '../session.ts';
import { forgetNextPage } from '../shell/commands/page-commands.ts';
import { addGuarded } from './unsaved-forms.ts';
import type { FormState } from './use-form.ts';

/**
 * Asks before a link, the browser's Back or closing the tab loses what was changed in a form.
 *
 * @param inDialog whether another view of the same page, such as another filter, would close the form too
 * @param replacedBy the search parameter of the page that another form comes with
 * @param words the words of the question
 */
export function LeaveGuard({
  form,
  inDialog,
  replacedBy,
  words,
}: {
  form: FormState;
  inDialog: boolean;
  replacedBy?: string | undefined;
  words?: LeaveWords | undefined;
}) {
  const parameterOf = (search: object) =>
    replacedBy && (search as Record<string, unknown>)[replacedBy];
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (inDialog ||
        current.pathname !== next.pathname ||
        parameterOf(current.search) !== parameterOf(next.search)) &&
      form.hasUnsaved(),
    enableBeforeUnload: () => form.hasUnsaved() && !isLeavingAfterSignOut(),
    disabled: !form.isDirty,
    withResolver: true,
  });
  useEffect(() => addGuarded(form.hasUnsaved), [form.hasUnsaved]);
  return (
    <LeaveQuestion
      open={status === 'blocked'}
      words={words}
      onStay={() => {
        forgetNextPage();
        reset?.();
      }}
      onLeave={() => proceed?.()}
    />
  );
}
