import type { ComponentProps } from 'react';
import { FormDialog as Frame } from '../../../parts/overlays/form-dialog.tsx';
import { Faults } from './form.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { FormState } from './use-form.ts';

/**
 * A form in a dialog.
 *
 * @param guarded whether closing and leaving ask about unsaved changes
 */
export function FormDialog({
  form,
  guarded = true,
  children,
  ...frame
}: { form: FormState; guarded?: boolean } & Omit<
  ComponentProps<typeof Frame>,
  'above' | 'element' | 'isDirty' | 'busy' | 'onSubmit'
>) {
  return (
    <Frame
      {...frame}
      element={form.element}
      isDirty={guarded && form.isDirty}
      busy={form.busy}
      onSubmit={form.submit}
      above={<Faults form={form} />}
    >
      {children}
      {guarded && <LeaveGuard form={form} inDialog words={frame.leaveWords} />}
    </Frame>
  );
}
