import type { ReactNode } from 'react';
import { Button } from '../../../parts/buttons/button.tsx';
import { Notice } from '../../../parts/page/page.tsx';
import { common } from '../../../texts/common.ts';
import { LeaveGuard } from './leave-guard.tsx';
import type { FormState } from './use-form.ts';

/**
 * A form of a page.
 *
 * @param guarded whether leaving asks about unsaved changes
 * @param replacedBy the search parameter of the page that another form comes with
 */
export function Form({
  form,
  guarded = true,
  replacedBy,
  className = 'grid gap-4',
  children,
}: {
  form: FormState;
  guarded?: boolean;
  replacedBy?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <form
      ref={form.element}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {children}
      {guarded && <LeaveGuard form={form} inDialog={false} replacedBy={replacedBy} />}
    </form>
  );
}

/** The errors that belong to no field, above the buttons. */
export function Faults({ form: { faults } }: { form: FormState }) {
  return (
    <div role="alert" data-faults tabIndex={-1} className="basis-full outline-none empty:hidden">
      {faults.length > 0 && <Notice tone="bad">{faults.join(' ')}</Notice>}
    </div>
  );
}

/** The button of a form of a page. There is something to save if the form has changes, or if its record `isNew`. */
export function SaveButton({ form, isNew = false }: { form: FormState; isNew?: boolean }) {
  return (
    <Button type="submit" look="primary" busy={form.busy} disabled={!isNew && !form.isDirty}>
      {common('save')}
    </Button>
  );
}
